import { QuerentError } from '../../domain/errors.ts'

/** What to check if a server cannot be reached over the network, by the code of the driver's error. */
export const networkErrorHints: readonly (readonly [code: string, advice: string])[] = [
  ['ECONNREFUSED', 'No server is listening there: check the host and port, and that the server is running.'],
  ['ENOTFOUND', 'The host name is not known: check its spelling, and the network.'],
  ['EAI_AGAIN', 'The host name could not be looked up: check the network.'],
  ['ETIMEDOUT', 'There was no answer: check the host, port and firewall.'],
  ['EHOSTUNREACH', 'There is no route to the host: check the network or the VPN.'],
  ['ENETUNREACH', 'There is no route to the host: check the network or the VPN.'],
]

/** The code of a driver's error; null if it has none. */
export const codeOf = (error: unknown): string | null =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null

/** A host with several addresses fails with one error for each, and an empty message of its own. */
const wordsOf = (error: unknown): string => {
  if (error instanceof AggregateError) return error.errors.map(wordsOf).join('; ')
  return error instanceof Error ? error.message : String(error)
}

/**
 * An error that says that no connection could be made, and what to check. `place` names the database without its
 * password. The driver's message follows; it never contains the password.
 */
export const describeNetworkError = (place: string, error: unknown, advice: string): QuerentError =>
  new QuerentError(
    'database-unreachable',
    `Cannot connect to ${place}: ${cleanDriverMessage(wordsOf(error))}. ${advice}`,
    { cause: error },
  )

/** What a limit of memory or of temporary files means. Advice of the databases themselves is about settings. */
export const needsTooMuchMemory =
  'The statement needs more memory than it is allowed. Group or filter earlier, or ask for less at once.'

const maxMessageLength = 500

/** A driver's message on one line, without control characters and at most 500 characters long. */
export const cleanDriverMessage = (message: string): string => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to be rid of
  const oneLine = message.replace(/[\s\u0000-\u001f\u007f-\u009f]+/g, ' ').trim()
  return oneLine.length <= maxMessageLength ? oneLine : `${oneLine.slice(0, maxMessageLength - 1)}…`
}
