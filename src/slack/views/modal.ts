import type { CheckedBlock } from '../block-schema.ts'

interface Words {
  readonly type: 'plain_text'
  readonly text: string
}

/** A modal, as `views.open` takes it. */
export interface Modal {
  readonly type: 'modal'
  readonly callback_id: string
  readonly title: Words
  readonly submit?: Words
  readonly close: Words
  readonly private_metadata?: string
  readonly blocks: readonly CheckedBlock[]
}
