package agents

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
)

// An object is one of JSON.
type object = map[string]any

// A dialect is how an agent and its model speak to each other.
type dialect struct {
	// tools are what a request offers.
	tools func(asked object) []offered
	// messages is the conversation of a request.
	messages func(asked object) []any
	// answer writes a reply.
	answer func(w http.ResponseWriter, r *http.Request, asked object, reply reply)
}

// dialectOf is the dialect of a path, or nil if it is none of a model.
func dialectOf(path string) *dialect {
	switch {
	case strings.HasSuffix(path, ":generateContent"), strings.HasSuffix(path, ":streamGenerateContent"):
		return &gemini
	case strings.HasSuffix(path, "/messages"):
		return &anthropic
	case strings.HasSuffix(path, "/responses"):
		return &responses
	case strings.HasSuffix(path, "/chat/completions"):
		return &chat
	}
	return nil
}

func writeJSON(w http.ResponseWriter, value any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(value) // the agent may have gone
}

// A stream writes server-sent events.
type stream struct {
	w http.ResponseWriter
	// named puts the type of an event in front of it.
	named bool
}

func newStream(w http.ResponseWriter, named bool) stream {
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-cache")
	return stream{w: w, named: named}
}

func (s stream) send(event object) {
	encoded, _ := json.Marshal(event) // made of strings and numbers
	if s.named {
		fmt.Fprintf(s.w, "event: %s\n", event["type"])
	}
	fmt.Fprintf(s.w, "data: %s\n\n", encoded)
}

// list is a member that is a list.
func list(o object, name string) []any {
	items, _ := o[name].([]any)
	return items
}

// toolsBy returns the tools of a list by the name that each has.
func toolsBy(items []any, name func(tool object) string) []offered {
	var tools []offered
	for _, item := range items {
		if tool, ok := item.(object); ok {
			tools = append(tools, offered{name: name(tool)})
		}
	}
	return tools
}

func text(o object, name string) string {
	value, _ := o[name].(string)
	return value
}

func arguments(call call) string {
	if call.args == nil {
		return "{}"
	}
	encoded, _ := json.Marshal(call.args) // made of strings and numbers
	return string(encoded)
}

// anthropic is the Messages API.
var anthropic = dialect{
	tools: func(asked object) []offered {
		return toolsBy(list(asked, "tools"), func(tool object) string { return text(tool, "name") })
	},
	messages: func(asked object) []any { return list(asked, "messages") },
	answer: func(w http.ResponseWriter, _ *http.Request, asked object, reply reply) {
		var content []object
		if reply.text != "" {
			content = append(content, object{"type": "text", "text": reply.text})
		}
		stop := "end_turn"
		for _, call := range reply.calls {
			stop = "tool_use"
			content = append(content, object{
				"type": "tool_use", "id": "toolu_" + call.id, "name": call.tool.name,
				"input": json.RawMessage(arguments(call)),
			})
		}
		message := object{
			"id": "msg_" + reply.id, "type": "message", "role": "assistant", "model": reply.model,
			"content": content, "stop_reason": stop, "stop_sequence": nil,
			"usage": object{
				"input_tokens": reply.usage, "output_tokens": 10,
				"cache_creation_input_tokens": 0, "cache_read_input_tokens": 0,
			},
		}
		if asked["stream"] != true {
			writeJSON(w, message)
			return
		}
		s := newStream(w, true)
		message["content"], message["stop_reason"] = []any{}, nil
		s.send(object{"type": "message_start", "message": message})
		for i, block := range content {
			begin, delta := object{"type": "text", "text": ""}, object{"type": "text_delta", "text": block["text"]}
			if block["type"] == "tool_use" {
				begin = object{"type": "tool_use", "id": block["id"], "name": block["name"], "input": object{}}
				delta = object{"type": "input_json_delta", "partial_json": string(block["input"].(json.RawMessage))}
			}
			s.send(object{"type": "content_block_start", "index": i, "content_block": begin})
			s.send(object{"type": "content_block_delta", "index": i, "delta": delta})
			s.send(object{"type": "content_block_stop", "index": i})
		}
		s.send(object{
			"type": "message_delta", "delta": object{"stop_reason": stop, "stop_sequence": nil},
			"usage": object{"output_tokens": 10},
		})
		s.send(object{"type": "message_stop"})
	},
}

// chat is the Chat Completions API.
var chat = dialect{
	tools: func(asked object) []offered {
		return toolsBy(list(asked, "tools"), func(tool object) string {
			function, _ := tool["function"].(object)
			return text(function, "name")
		})
	},
	messages: func(asked object) []any { return list(asked, "messages") },
	answer: func(w http.ResponseWriter, _ *http.Request, asked object, reply reply) {
		message, finish := object{"role": "assistant", "content": reply.text}, "stop"
		var calls []any
		for i, call := range reply.calls {
			finish = "tool_calls"
			calls = append(calls, object{
				"index": i, "id": call.id, "type": "function",
				"function": object{"name": call.tool.name, "arguments": arguments(call)},
			})
		}
		if calls != nil {
			message["tool_calls"] = calls
		}
		usage := object{
			"prompt_tokens": reply.usage, "completion_tokens": 10, "total_tokens": reply.usage + 10,
		}
		base := func(kind string, choices []any) object {
			return object{
				"id": reply.id, "object": kind, "created": 1, "model": reply.model, "choices": choices, "usage": nil,
			}
		}
		if asked["stream"] != true {
			whole := base("chat.completion", []any{object{"index": 0, "message": message, "finish_reason": finish}})
			whole["usage"] = usage
			writeJSON(w, whole)
			return
		}
		s := newStream(w, false)
		const chunk = "chat.completion.chunk"
		s.send(base(chunk, []any{object{"index": 0, "delta": message, "finish_reason": nil}}))
		s.send(base(chunk, []any{object{"index": 0, "delta": object{}, "finish_reason": finish}}))
		last := base(chunk, []any{})
		last["usage"] = usage
		s.send(last)
		fmt.Fprint(w, "data: [DONE]\n\n")
	},
}

// responses is the Responses API. Codex groups the tools of a server in a
// namespace, which a call repeats.
var responses = dialect{
	tools: func(asked object) []offered {
		var tools []offered
		for _, item := range list(asked, "tools") {
			tool, _ := item.(object)
			switch {
			case tool["type"] == "namespace":
				for _, inner := range toolsBy(list(tool, "tools"), func(t object) string { return text(t, "name") }) {
					tools = append(tools, offered{name: inner.name, namespace: text(tool, "name")})
				}
			case tool["name"] != nil:
				tools = append(tools, offered{name: text(tool, "name")})
			default:
				tools = append(tools, offered{name: text(tool, "type")})
			}
		}
		return tools
	},
	messages: func(asked object) []any { return list(asked, "input") },
	answer: func(w http.ResponseWriter, _ *http.Request, asked object, reply reply) {
		var output []object
		if reply.text != "" {
			output = append(output, object{
				"type": "message", "id": "msg_" + reply.id, "role": "assistant", "status": "completed",
				"content": []any{object{"type": "output_text", "text": reply.text, "annotations": []any{}}},
			})
		}
		for i, call := range reply.calls {
			item := object{"call_id": call.id, "name": call.tool.name, "status": "completed"}
			if call.input != "" {
				item["type"], item["id"] = "custom_tool_call", fmt.Sprintf("ctc_%s_%d", reply.id, i)
				item["input"] = call.input
			} else {
				item["type"], item["id"] = "function_call", fmt.Sprintf("fc_%s_%d", reply.id, i)
				item["arguments"] = arguments(call)
			}
			if call.tool.namespace != "" {
				item["namespace"] = call.tool.namespace
			}
			output = append(output, item)
		}
		response := func(status string, output []object, usage any) object {
			return object{
				"id": "resp_" + reply.id, "object": "response", "created_at": 1, "status": status,
				"model": reply.model, "output": output, "usage": usage,
			}
		}
		completed := response("completed", output, object{
			"input_tokens": reply.usage, "input_tokens_details": object{"cached_tokens": 0},
			"output_tokens": 10, "output_tokens_details": object{"reasoning_tokens": 0},
			"total_tokens": reply.usage + 10,
		})
		if asked["stream"] != true {
			writeJSON(w, completed)
			return
		}
		s := newStream(w, true)
		s.send(object{"type": "response.created", "response": response("in_progress", []object{}, nil)})
		for i, item := range output {
			s.send(object{"type": "response.output_item.added", "output_index": i, "item": item})
			if item["type"] == "message" {
				s.send(object{
					"type": "response.output_text.delta", "item_id": item["id"], "output_index": i,
					"content_index": 0, "delta": reply.text,
				})
			}
			s.send(object{"type": "response.output_item.done", "output_index": i, "item": item})
		}
		s.send(object{"type": "response.completed", "response": completed})
	},
}

// gemini is generateContent.
var gemini = dialect{
	tools: func(asked object) []offered {
		var tools []offered
		for _, item := range list(asked, "tools") {
			group, _ := item.(object)
			tools = append(tools, toolsBy(list(group, "functionDeclarations"), func(tool object) string {
				return text(tool, "name")
			})...)
		}
		return tools
	},
	messages: func(asked object) []any { return list(asked, "contents") },
	answer: func(w http.ResponseWriter, r *http.Request, asked object, reply reply) {
		config, _ := asked["generationConfig"].(object)
		if reply.kind == Auxiliary && config["responseMimeType"] == "application/json" {
			// Gemini CLI asks who speaks next, how hard a task is, and which model it needs.
			reply.text = `{"reasoning": "fake", "model_choice": "flash", "next_speaker": "user",` +
				` "complexity_reasoning": "fake", "complexity_score": 1}`
		}
		var parts []any
		if reply.text != "" {
			parts = append(parts, object{"text": reply.text})
		}
		for _, call := range reply.calls {
			parts = append(parts, object{"functionCall": object{
				"id": call.id, "name": call.tool.name, "args": json.RawMessage(arguments(call)),
			}})
		}
		answer := object{
			"candidates": []any{object{
				"content": object{"role": "model", "parts": parts}, "finishReason": "STOP", "index": 0,
			}},
			"usageMetadata": object{
				"promptTokenCount": reply.usage, "candidatesTokenCount": 10, "totalTokenCount": reply.usage + 10,
			},
			"modelVersion": "fake",
		}
		if !strings.HasSuffix(r.URL.Path, ":streamGenerateContent") {
			writeJSON(w, answer)
			return
		}
		newStream(w, false).send(answer)
	},
}
