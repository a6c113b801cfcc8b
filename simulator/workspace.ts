import type { CallEmulator, RequestEmulator } from './emulator/call-emulator.ts'
import type { EmulatorTokens } from './emulator/seed.ts'
import type { RunningEmulator } from './emulator/start-emulator.ts'
import type { Triggers } from './interactions/make-triggers.ts'
import type { Views } from './interactions/make-views.ts'
import type { Timers } from './make-timers.ts'
import type { AgentView } from './record/make-agent-view.ts'
import type { Changes } from './record/make-changes.ts'
import type { Files } from './record/make-files.ts'
import type { RecordLog } from './record/make-log.ts'
import type { Messages } from './record/make-messages.ts'
import type { Statuses } from './record/make-statuses.ts'
import type { ApiCallRecord, Delivery, Problem } from './record/records.ts'
import type { Channel, Person } from './shapes/people.ts'
import type { Timing } from './timing.ts'

/** All that the simulated workspace is, for the parts that act on it. */
export interface Workspace {
  /** Where page and gateway are, without a slash at the end. */
  readonly url: string
  readonly team: RunningEmulator['team']
  readonly bot: Bot
  readonly people: readonly Person[]
  readonly channels: readonly Channel[]
  readonly commands: readonly string[]
  readonly signingSecret: string
  readonly timing: Timing
  readonly now: () => Date
  readonly timers: Timers
  readonly callEmulator: CallEmulator
  readonly requestEmulator: RequestEmulator
  readonly tokens: EmulatorTokens
  readonly changes: Changes
  readonly messages: Messages
  readonly statuses: Statuses
  readonly agentView: AgentView
  readonly files: Files
  readonly views: Views
  readonly triggers: Triggers
  readonly problems: RecordLog<Problem>
  readonly deliveries: RecordLog<Delivery>
  readonly calls: RecordLog<ApiCallRecord>
}

/** The app's own account in the workspace. */
export interface Bot extends Person {
  readonly botId: string
  readonly appId: string
  readonly token: string
}
