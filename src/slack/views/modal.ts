import type { SlackBlock } from '../block-schema.ts'

interface PlainText {
  readonly type: 'plain_text'
  readonly text: string
}

/** A modal, as `views.open` takes it. */
export interface Modal {
  readonly type: 'modal'
  readonly callback_id: string
  readonly title: PlainText
  readonly submit?: PlainText
  readonly close: PlainText
  readonly private_metadata?: string
  readonly blocks: readonly SlackBlock[]
}
