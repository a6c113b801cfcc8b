import type { EventFaults } from './delivery/event-faults.ts'
import type { FaultPlan } from './gateway/draw-fault.ts'
import type { Fault } from './gateway/make-faults.ts'
import type { ApiCallRecord, Delivery, Problem } from './record/records.ts'
import type { Click, FormValues, InteractionResult, SubmitResult } from './shapes/interaction.ts'
import type { RecordedMessage } from './shapes/message.ts'
import type { Channel, Person } from './shapes/people.ts'
import type { OpenView } from './shapes/view.ts'
import type { Bot } from './workspace.ts'

/** A Slack workspace on this machine. People and channels are named by id, by `ada` or by `#sales`. */
export interface Simulator extends SimulatorUse, SimulatorRecord {
  /** The page, for a browser. */
  readonly url: string
  /** What Bolt and WebClient take as `slackApiUrl`. */
  readonly apiUrl: string
  readonly botToken: string
  readonly signingSecret: string
  readonly team: { readonly id: string; readonly name: string; readonly domain: string }
  readonly bot: Bot
  readonly people: readonly Person[]
  readonly channels: readonly Channel[]
  /** Where events, interactions and commands go, such as `http://127.0.0.1:3000/slack/events`; null: nowhere. */
  setBotUrl(url: string | readonly string[] | null): void
  /** Faults of the Web API; replaces those that still wait. */
  setFaults(faults: readonly Fault[]): void
  /** Faults of the Web API by chance; null for none. */
  planFaults(plan: FaultPlan | null): void
  /** Faults of events on their way; stay until they are set again. */
  setEventFaults(faults: EventFaults): void
  /** A trigger id as a click of a person has it, for requests that are sent without the simulator. */
  issueTrigger(by: string): string
  close(): Promise<void>
}

/** What people do. */
export interface SimulatorUse {
  /** `@querent` in the text mentions the bot. Without `in` it is a direct message to the bot. */
  post(said: {
    readonly by: string
    readonly in?: string
    readonly thread?: string
    readonly text: string
  }): Promise<RecordedMessage>
  edit(message: Pick<RecordedMessage, 'channel' | 'ts'>, text: string): Promise<RecordedMessage>
  remove(message: Pick<RecordedMessage, 'channel' | 'ts'>): Promise<void>
  /** Throws when there is nothing such to click. */
  click(click: Click): Promise<InteractionResult>
  submitModal(by: string, values: FormValues): Promise<SubmitResult>
  closeModal(by: string): Promise<InteractionResult | null>
  openHome(by: string, tab?: 'home' | 'messages'): void
  /** Somebody comes into a channel, and the bot is told. */
  join(by: string, channel: string): void
  command(by: string, channel: string, entered: string): Promise<InteractionResult>
}

/** What there is to see. */
export interface SimulatorRecord {
  /** All messages in order, ephemeral and deleted ones included, with their histories. */
  messages(): readonly RecordedMessage[]
  /** A first message and its replies, in order. */
  thread(channel: string, ts: string): readonly RecordedMessage[]
  /** The topmost modal of a person. */
  modal(by: string): OpenView | null
  home(by: string): OpenView | null
  deliveries(): readonly Delivery[]
  calls(): readonly ApiCallRecord[]
  /** Everything that the bot sent and that Slack would refuse or warn about. */
  problems(): readonly Problem[]
  /** Resolves with what `look` returns as soon as that is neither null, undefined nor false; throws after `ms`. */
  until<T>(look: () => T | null | undefined | false, ms?: number): Promise<T>
  /** Resolves when no event is on its way any more, retries included. */
  settled(): Promise<void>
}
