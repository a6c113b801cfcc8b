import { userInfo } from 'node:os'
import type { OnProgress, Resources } from '../bootstrap/resources.ts'
import type { Config } from '../config/config.ts'
import type { EnvironmentSource } from '../config/env.ts'
import type { CommandCaller } from '../domain/operations/audit.ts'
import type { Log } from '../domain/operations/telemetry.ts'
import type { LogOptions } from '../telemetry/log.ts'
import type { Terminal } from './terminal.ts'

/** All that a command is handed: its terminal, the house, and the signal of Ctrl-C. */
export interface CommandContext {
  readonly config: Config
  readonly log: Log
  readonly terminal: Terminal
  readonly resources: Resources
  /** Where variables and the folder of the project come from. */
  readonly source: EnvironmentSource
  /** The house once more, after the configuration has changed; given back with the first one. */
  readonly reopen: () => { readonly config: Config; readonly resources: Resources }
  /** Who typed it, and what: for those who make a house of their own. */
  readonly shell: CommandCaller
  /** What "now" is: `--as-of`, else the moment of the command. */
  readonly now: Date
  readonly signal: AbortSignal
  readonly onProgress: OnProgress
  readonly clearProgress: () => void
}

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

/** Who is at the terminal, as the system knows them; null where it has no name for the user. */
export const currentPerson = (): string | null => {
  try {
    return userInfo().username
  } catch {
    return null
  }
}
