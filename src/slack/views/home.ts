import type { CheckedBlock } from '../block-schema.ts'
import { escapeMrkdwn } from '../escape-mrkdwn.ts'

/** What App Home shows. Counts are of all time. */
export interface HomeFacts {
  readonly database: string
  readonly tables: readonly { readonly name: string; readonly rows: number | null }[]
  readonly questions: { readonly answered: number; readonly refused: number; readonly failed: number }
  readonly votes: { readonly up: number; readonly down: number }
  readonly examples: readonly string[]
}

const TABLES_NAMED = 20

/** App Home: which database is asked, what was asked so far, and what to ask. */
export const homeView = (facts: HomeFacts): { readonly type: 'home'; readonly blocks: CheckedBlock[] } => ({
  type: 'home',
  blocks: [
    { type: 'header', text: { type: 'plain_text', text: 'Querent' } },
    text(
      `I answer questions about *${escapeMrkdwn(facts.database)}*. Mention me in a channel, or write to me here.`,
    ),
    { type: 'divider' },
    {
      type: 'section',
      fields: [
        {
          type: 'mrkdwn',
          verbatim: true,
          text: `*Answered*\n${facts.questions.answered.toLocaleString('en-US')}`,
        },
        {
          type: 'mrkdwn',
          verbatim: true,
          text: `*Not answered*\n${(facts.questions.refused + facts.questions.failed).toLocaleString('en-US')}`,
        },
        { type: 'mrkdwn', verbatim: true, text: `*Found right*\n${facts.votes.up.toLocaleString('en-US')}` },
        {
          type: 'mrkdwn',
          verbatim: true,
          text: `*Found wrong*\n${facts.votes.down.toLocaleString('en-US')}`,
        },
      ],
    },
    { type: 'divider' },
    text(`*Tables*\n${escapeMrkdwn(tablesOf(facts))}`),
    ...(facts.examples.length > 0
      ? [text(`*Try*\n${facts.examples.map(example => `• ${escapeMrkdwn(example)}`).join('\n')}`)]
      : []),
  ],
})

const text = (mrkdwn: string): CheckedBlock => ({
  type: 'section',
  text: { type: 'mrkdwn', verbatim: true, text: mrkdwn.slice(0, 3_000) },
})

const tablesOf = ({ tables }: HomeFacts): string => {
  const named = tables
    .slice(0, TABLES_NAMED)
    .map(
      table => `${table.name}${table.rows === null ? '' : ` (${table.rows.toLocaleString('en-US')} rows)`}`,
    )
  const more = tables.length - named.length
  return `${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}
