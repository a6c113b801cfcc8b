/** Facts that go with a message. An `Error` under any name keeps its message, code, cause and stack. */
export type LogFields = Readonly<Record<string, unknown>>

/** Where the parts of the house say what they do, for operators. Never carries rows, and drops secrets it knows. */
export interface Log {
  debug(fields: LogFields, message: string): void
  info(fields: LogFields, message: string): void
  warn(fields: LogFields, message: string): void
  error(fields: LogFields, message: string): void
}

/** Does work within which every line of the log carries these fields too. */
export type InLogContext = <T>(fields: LogFields, work: () => Promise<T>) => Promise<T>

/** No fields: the work alone. */
export const withoutLogContext: InLogContext = (_fields, work) => work()

/** A log that keeps nothing, for tests and for callers without one. */
export const silentLog: Log = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
}
