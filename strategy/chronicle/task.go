package chronicle

import (
	"regexp"
	"strings"

	"condense/transcript"
)

// planned matches the names of tools that maintain a list of tasks.
var planned = regexp.MustCompile(`(?i)(?:task|todo|plan|goal)[_-]?(?:create|update|write|add|set|stop|complete)|(?:create|update|write|add|set|complete)[_-]?(?:task|todo|plan|goal)`)

// adds matches the names of tools that add one task to a list.
var adds = regexp.MustCompile(`(?i)(?:task|todo|goal)[_-]?(?:create|add)|(?:create|add)[_-]?(?:task|todo|goal)`)

// numbered matches the number of a new task in the result of the call that added it, as in
// "Task #6 created successfully" of Claude Code.
var numbered = regexp.MustCompile(`(?i)\btask #(\d+)\b`)

// closedStates are the states of a task that needs no more work.
var closedStates = map[string]bool{"completed": true, "complete": true, "done": true, "cancelled": true, "canceled": true, "closed": true, "deleted": true}

// createdTask returns the number of the task that a step added to the list of tasks, or "".
func (d *draft) createdTask(s *step, call *transcript.Block) string {
	if len(s.calls) != 1 || len(s.results) != 1 || !adds.MatchString(call.Tool) {
		return ""
	}
	if m := numbered.FindStringSubmatch(d.Conv.Block(s.results[0]).Text()); m != nil {
		return m[1]
	}
	return ""
}

// markSuperseded marks the steps that set the state of a task when a later step with the
// same tool sets the state of the same task again, and those that added a task which is closed
// by now. It marks the steps that added the others as open.
func (d *draft) markSuperseded() {
	later, closed := map[string]bool{}, map[string]bool{}
	for i := len(d.steps) - 1; i >= 0; i-- {
		s := &d.steps[i]
		if len(s.calls) != 1 {
			continue
		}
		call := d.Conv.Block(s.calls[0])
		if s.task != "" {
			s.superseded, s.open = closed[s.task], !closed[s.task]
			continue
		}
		id := call.Arg("taskId", "task_id", "id")
		if id == "" || !planned.MatchString(call.Tool) {
			continue
		}
		key := call.Tool + " " + id
		s.superseded = later[key]
		later[key] = true
		closed[id] = closed[id] || closedStates[strings.ToLower(call.Arg("status", "state"))]
	}
}
