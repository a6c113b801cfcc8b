import { areMessages, completion, inProse, judgement, openAiError, startEndpoint } from './start-endpoint.ts'

const models: Readonly<Record<string, { readonly thinks: boolean }>> = {
  'qwen2.5-coder:14b': { thinks: false },
  'my-codex:7b': { thinks: false },
  'gpt-oss:20b': { thinks: true },
}

/** A double of Ollama. It wants no key, and ignores fields that it does not know. */
export const startOllama = () =>
  startEndpoint(({ body, path }) => {
    if (path !== '/v1/chat/completions')
      return { status: 404, body: '404 page not found', headers: { 'content-type': 'text/plain' } }
    const model = models[String(body.model)]
    if (!model)
      return openAiError(404, `model "${body.model}" not found, try pulling it first`, {
        type: 'not_found_error',
      })
    if (!areMessages(body.messages)) return openAiError(400, 'invalid message format')
    if (body.reasoning_effort !== undefined && !model.thinks)
      return { status: 400, body: { error: `"${body.model}" does not support thinking` } }
    return completion(body.model, body.response_format === undefined ? inProse : judgement)
  })
