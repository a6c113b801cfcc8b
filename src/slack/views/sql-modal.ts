import { callbackIds } from '../action-ids.ts'
import type { CheckedBlock } from '../block-schema.ts'
import { escapeMrkdwn } from '../escape-mrkdwn.ts'

/** A modal, as `views.open` takes it. */
export interface Modal {
  readonly type: 'modal'
  readonly callback_id: string
  readonly title: { readonly type: 'plain_text'; readonly text: string }
  readonly submit?: { readonly type: 'plain_text'; readonly text: string }
  readonly close: { readonly type: 'plain_text'; readonly text: string }
  readonly private_metadata?: string
  readonly blocks: readonly CheckedBlock[]
}

/** A section takes 3,000 characters, of which the fence needs a few. */
const SQL_PER_BLOCK = 2_900

/** The SQL behind an answer. Long SQL is spread over blocks, never cut: what ran must be readable whole. */
export const sqlModal = (answer: {
  readonly sql: string
  readonly assumptions: readonly string[]
}): Modal => ({
  type: 'modal',
  callback_id: callbackIds.showSql,
  title: { type: 'plain_text', text: 'SQL' },
  close: { type: 'plain_text', text: 'Close' },
  blocks: [
    ...pieces(escapeMrkdwn(answer.sql.replaceAll('```', "'"))).map(
      (sql): CheckedBlock => ({
        type: 'section',
        text: { type: 'mrkdwn', verbatim: true, text: `\`\`\`${sql}\`\`\`` },
      }),
    ),
    ...answer.assumptions.slice(0, 10).map(
      (assumption): CheckedBlock => ({
        type: 'context',
        elements: [{ type: 'plain_text', text: assumption.slice(0, 2_000) || '–' }],
      }),
    ),
  ],
})

const pieces = (text: string): string[] =>
  Array.from({ length: Math.max(1, Math.ceil(text.length / SQL_PER_BLOCK)) }, (_, i) =>
    text.slice(i * SQL_PER_BLOCK, (i + 1) * SQL_PER_BLOCK),
  )
