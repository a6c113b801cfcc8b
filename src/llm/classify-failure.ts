import { CallFailure, type CallFailureKind } from './call-failure.ts'
import { readRetryAfter } from './read-retry-after.ts'
import { redactMessage } from './scrub-secrets.ts'

/** Whatever the client threw, as one `CallFailure`: decided by status and code, never by the words of a message. */
export const classifyFailure = (
  error: unknown,
  context: { readonly secrets: readonly string[]; readonly now: Date },
): CallFailure => {
  const facts = {
    status: numberOf(error, 'status'),
    code: stringOf(error, 'code'),
    param: stringOf(error, 'param'),
  }
  const headers: unknown = readField(error, 'headers')
  const kind = kindOf(error, facts.status, facts.code)
  const message = kind === 'unreachable' ? innermostMessage(error) : messageOf(error)
  return new CallFailure(redactMessage(withoutAdvice(message), context.secrets), {
    ...facts,
    kind,
    retryAfterMs: headers instanceof Headers ? readRetryAfter(headers, context.now) : null,
  })
}

const kindOf = (error: unknown, status: number | null, code: string | null): CallFailureKind => {
  if (status === 429) return code === 'insufficient_quota' ? 'quota-spent' : 'rate-limited'
  // 408 and 409 (a lock on the server's side) are the two 4xx that the next try may not see.
  if (status !== null) return status >= 500 || status === 408 || status === 409 ? 'server-error' : 'rejected'
  if (error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError')) {
    return 'timed-out'
  }
  return 'unreachable'
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** "Connection error." says nothing; what the socket said lies a few causes deeper. */
const innermostMessage = (error: unknown): string => {
  let deepest = error
  while (deepest instanceof Error && deepest.cause instanceof Error) deepest = deepest.cause
  return messageOf(deepest) || (stringOf(deepest, 'code') ?? messageOf(error))
}

/** LangChain appends a link to its own troubleshooting pages; ours say what to check in Querent. */
const withoutAdvice = (message: string): string => message.split('\n\nTroubleshooting URL:')[0] ?? message

const readField = (error: unknown, field: string): unknown =>
  typeof error === 'object' && error !== null ? Reflect.get(error, field) : undefined

const numberOf = (error: unknown, field: string): number | null => {
  const value = readField(error, field)
  return typeof value === 'number' ? value : null
}

const stringOf = (error: unknown, field: string): string | null => {
  const value = readField(error, field)
  return typeof value === 'string' ? value : null
}
