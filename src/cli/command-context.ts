import type { OnProgress } from '../compose/progress.ts'
import type { Resources } from '../compose.ts'
import type { Config } from '../config/config.ts'
import type { EnvironmentSource } from '../config/env.ts'
import type { Log } from '../core/log.ts'
import type { CommandCaller } from '../core/run-context.ts'
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
