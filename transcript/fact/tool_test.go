package fact

import (
	"strings"
	"testing"

	"condense/transcript"
)

// TestToolOf checks the kinds of all tools of a collection of public conversations in
// 29 formats, as their clients spell them.
func TestToolOf(t *testing.T) {
	tests := []struct {
		want  ToolKind
		names string
	}{
		{OtherTool, `FailingTool LSP Skill TaskCreate TaskUpdate ToolSearch access_cart_information activate_skill
			analyze_marketing_campaigns blocks book_reservation calculate cancel_reservation check_product_availability
			circle_area click configure_backup_automation configure_lifecycle_policy convert_currency convert_temperature
			create_app_preview create_repository create_s3_bucket earnings error exact_url_non_english export_node_images
			extract generate_random_number generate_uuid getCurrentWeatherData getWeatherAlerts get_all_motivational_quotes
			get_details_by_asn_number get_district_capital_by_name get_engagement_level get_gdpdata
			get_inflation_rate get_movie_details get_node_components get_node_styles get_node_tree get_page_node_id
			get_page_visual_overview get_preview_status get_products_in_category get_reservation_details get_stock_price
			get_user_details get_username_point_blank ideas_get_comments initiate_recovery_process is_palindrome
			links_finder list_all_airports list_available_plugins_to_install manage_drug_samples modify_cart move_files
			pagesjaunes project_knowledge_search realtor_school_list recent_chats reverse_string search
			search_direct_flight search_movies search_onestop_flight search_repositories search_restaurants
			search_tool_bm25 send_certificate show_me.get_MermaidRoute skill_discovery stop_app_preview submit
			submit_service_request telegram_send tool_search top_news track_healthcare_interactions
			transfer_to_human_agents transfer_to_other_agent update_reservation_baggages update_reservation_flights
			update_reservation_passengers update_topic upvote_riddle us yh_historical`},
		{ShellTool, `Bash bash exec_command execute_command run run_commands run_shell_command shell shell_command`},
		{ProcessTool, `TaskOutput js python read_bash read_thread_terminal run_ipython stop_bash write_stdin`},
		{ReadTool, `Read get_figma_file open read read_file read_files view view_image`},
		{WriteTool, `Write create create_file create_or_update_file push_files write write_file write_to_file`},
		{EditTool, `Edit MultiEdit apply_patch edit editor insert replace replace_in_file`},
		{SearchTool, `Grep codesearch grep grep_search search_files`},
		{ListTool, `Glob find find_file glob list_directory list_files`},
		{WebTool, `WebFetch WebSearch browser web_browser_click web_browser_go web_fetch web_search webfetch websearch`},
		{TaskTool, `Agent Task subagent task`},
		{TalkTool, `AskUserQuestion EnterPlanMode ExitPlanMode ask_user attempt_completion finish think`},
		{TodoTool, `TodoWrite update_plan`},
		// spelled in other ways, with a namespace, or known by their words alone
		{ShellTool, `powershell pwsh PowerShell run_in_terminal runInTerminal run_terminal_cmd run_terminal_command execute_bash
			execute_shell_command run_powershell local_shell_call container.exec functions.exec_command mcp__host__run_command`},
		{ProcessTool, `BashOutput KillShell get_terminal_output code_interpreter`},
		{ReadTool, `mcp__files__read_text_file readMultipleFiles functions.read_file view_diff`},
		{WriteTool, `append_file saveFile new__create-file`},
		{EditTool, `str_replace_editor str_replace_based_edit_tool NotebookEdit edit_notebook insert_edit_into_file replace_string_in_file`},
		{SearchTool, `search_file_content codebase_search Search-Code find_in_files`},
		{ListTool, `LS list_dir file_search find_files list_project_files mcp__files__list_directory`},
		{WebTool, `google_web_search read_url_content browser_snapshot`},
		{TodoTool, `todo_write write_todos update_todo_list`},
		{OtherTool, `update_issue runner overview command_center ` + strings.Repeat("x", 2*longestTool)},
	}
	for _, tt := range tests {
		for _, name := range strings.Fields(tt.names) {
			if got := ToolOf(name); got != tt.want {
				t.Errorf("ToolOf(%q) = %v, want %v", name, got, tt.want)
			}
		}
	}
	if got := ToolOf(""); got != OtherTool {
		t.Errorf("ToolOf(\"\") = %v", got)
	}
}

// TestToolOfShells checks that every spelling of a shell has the facts of one.
func TestToolOfShells(t *testing.T) {
	for name, kind := range toolKinds {
		b := &transcript.Block{Kind: transcript.ToolCall, Tool: name, Parts: []transcript.Part{{Name: "command", Text: "go test ./..."}}}
		found := false
		Commands(b, &b.Parts[0], func(_ int, first, second string) { found = first == "go" && second == "test" })
		if found != (kind == ShellTool) {
			t.Errorf("%s is a tool of the kind %v; its command was found: %v", name, kind, found)
		}
		if len(name) > longestTool {
			t.Errorf("%s is longer than longestTool", name)
		}
	}
}

// TestBareName checks that the server or namespace before the name of a tool is left out.
func TestBareName(t *testing.T) {
	for name, want := range map[string]string{
		"read": "read", "mcp__files__read": "read", "mcp__files__read_file": "read_file", "functions.read": "read", "server:read": "read", "files/read": "read", "mcp__x__a.b": "b", "": "", "read__": "", "_read": "_read",
	} {
		if got := bareName(name); got != want {
			t.Errorf("%q is the tool %q, want %q", name, got, want)
		}
	}
}
