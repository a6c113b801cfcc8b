import type { EnvironmentSource } from '../config/env.ts'
import type { LogOptions } from '../telemetry/log.ts'
import type { Terminal } from './terminal.ts'

/** What surrounds a command: the process that it was typed for, or a test. */
export interface CommandHost {
  readonly terminal: Omit<Terminal, 'folder'>
  /** Where variables and the folder of the project come from; this process without it. */
  readonly source?: EnvironmentSource
  /** Where lines of the log go; the standard error of this process without it. */
  readonly logTo?: LogOptions['destination']
  /** Stops the command as Ctrl-C does. */
  readonly signal: AbortSignal
}
