import type { Block } from './message.ts'

interface Words {
  readonly type: string
  readonly text: string
}

/** A modal or a Home tab, as the bot gave it. */
export interface GivenView {
  readonly type: 'modal' | 'home'
  readonly blocks: readonly Block[]
  readonly title?: Words
  readonly submit?: Words
  readonly close?: Words
  readonly callback_id?: string
  readonly private_metadata?: string
  readonly external_id?: string
  readonly clear_on_close?: boolean
  readonly notify_on_close?: boolean
}

/** A view that is open or published. */
export interface OpenView {
  readonly id: string
  readonly person: string
  readonly hash: string
  readonly rootId: string
  readonly previousId: string | null
  readonly view: GivenView
  /** What was chosen so far in elements that send an action at once, by block id and action id. */
  readonly state: StateValues
}

/** Slack's `state.values`: by block id, then by action id. */
export type StateValues = Readonly<
  Record<string, Readonly<Record<string, Readonly<Record<string, unknown>>>>>
>
