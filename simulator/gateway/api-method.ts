import type { ApiAnswer } from '../emulator/call-emulator.ts'

/** Parameters of a call, decoded: JSON in form fields is parsed. */
export type ApiParams = Readonly<Record<string, unknown>>

/** A method of the Web API that the gateway answers. */
export type ApiMethod = (params: ApiParams) => Promise<ApiAnswer>

/** A refusal in Slack's form; `messages` help with debugging. */
export const refuse = (error: string, messages: readonly string[] = []): ApiAnswer => ({
  ok: false,
  error,
  ...(messages.length > 0 ? { response_metadata: { messages } } : {}),
})
