package format

import (
	"condense/transcript"
	"condense/transcript/internal/rawjson"
	"condense/transcript/internal/splice"
)

var chatbotUI = Dialect{
	Name:    "chatbot-ui",
	Doc:     "Chatbot UI exports",
	Where:   "chatbot_ui_history_*.json",
	Mirrors: true,
	sniff:   sniffChatbotUI,
	decode:  decodeChatbotUI,
	render:  renderMessage,
}

// sniffChatbotUI looks for a history of conversations. In the earliest version the file
// is the array of them.
func sniffChatbotUI(p *probe) bool {
	if p.lines != nil {
		return false
	}
	n := 0
	for c := range chatbotHistory(p.doc.Root()).Elems() {
		if n++; n > 4 {
			break
		}
		if c.Get("messages").Kind() == rawjson.Array && c.Get("prompt").Kind() == rawjson.String && c.Get("model").Ok() {
			return true
		}
	}
	root := p.doc.Root()
	return root.Get("version").Kind() == rawjson.Number && root.Get("history").Kind() == rawjson.Array && root.Get("folders").Kind() == rawjson.Array
}

func chatbotHistory(root rawjson.Value) rawjson.Value {
	if root.Kind() == rawjson.Array {
		return root
	}
	return root.Get("history")
}

func decodeChatbotUI(f *File, p *probe) error {
	if err := p.notDocument("a history"); err != nil {
		return err
	}
	i := 0
	for c := range chatbotHistory(p.doc.Root()).Elems() {
		if messages := c.Get("messages"); messages.Kind() == rawjson.Array {
			f.add(idOf(c, i, "id", "name"), readChatbotUI(p.src, c, messages))
		}
		i++
	}
	return nil
}

func readChatbotUI(src []byte, c, messages rawjson.Value) *builder {
	b := &builder{l: splice.New(src)}
	b.l.SetRecords(messages)
	if prompt := c.Get("prompt"); prompt.Str() != "" {
		slot := b.l.Emptied(splice.None, c, "prompt")
		b.message(transcript.System, slot).plain(prompt, slot)
	}
	i := 0
	for v := range messages.Elems() {
		slot := b.l.Slot(i)
		i++
		role, known := chatRole(v.Get("role").Str())
		mb := b.message(role, slot)
		mb.m.Hidden = !known
		if content := v.Get("content"); content.Kind() == rawjson.String {
			mb.plain(content, slot)
		} else {
			mb.content(content, slot)
		}
		b.dropEmpty()
	}
	b.l.MirrorMembers(splice.None, c, false, nil, "messages", "prompt")
	return b
}
