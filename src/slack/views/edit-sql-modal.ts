import { callbackIds } from '../action-ids.ts'
import { slackLimits } from '../block-kit/limits.ts'
import type { Modal } from '../block-kit/modal.ts'
import type { SlackBlock } from '../block-kit/schema.ts'
import { escapeAndTruncate } from '../block-kit/text.ts'

/** An input takes 3,000 characters; each piece of longer SQL leaves room to write in. */
const SQL_PER_INPUT = 2_500

const pieceBlock = 'sql_'

/** Action ids of a piece in the middle of a line, and of one after which a line break came. */
const sqlActionIds = { inLine: 'sql', endsLine: 'sql_line' } as const

/** Who edits: anybody, or whoever was asked to look at the answer. */
export type EditPurpose = 'edit' | 'fix'

const purposeTexts = {
  edit: {
    callback: callbackIds.editSql,
    title: 'Edit & rerun',
    note: 'The answer changes for everybody in the thread, with your name on it. The query is only read: the same checks and limits hold as for mine.',
  },
  fix: {
    callback: callbackIds.reviewFix,
    title: 'Fix SQL',
    note: 'Your query takes the place of the answer, and the thread is told that you corrected it.',
  },
} as const

/** Why the last try did not work: something is wrong with it, or it reads so much that it takes a tick to be run. */
export interface EditProblem {
  readonly is: 'wrong' | 'too-heavy'
  readonly said: string
}

/** SQL to change, in as many inputs as it takes. */
export const editSqlModal = (given: {
  readonly purpose: EditPurpose
  readonly questionId: string
  readonly question: string
  readonly sql: string
  readonly problem?: EditProblem
}): Modal => {
  const { callback, title, note } = purposeTexts[given.purpose]
  const pieces = splitSql(given.sql, SQL_PER_INPUT)
  return {
    type: 'modal',
    callback_id: callback,
    title: { type: 'plain_text', text: title },
    submit: { type: 'plain_text', text: 'Run' },
    close: { type: 'plain_text', text: 'Cancel' },
    private_metadata: given.questionId,
    blocks: [
      textSection(`*${escapeAndTruncate(given.question || '–', 1_000)}*`),
      ...(given.problem === undefined
        ? []
        : [textSection(`:warning: ${escapeAndTruncate(given.problem.said, 1_500)}`)]),
      ...pieces.map(
        (piece, i): SlackBlock => ({
          type: 'input',
          block_id: `${pieceBlock}${i}`,
          label: {
            type: 'plain_text',
            text: pieces.length === 1 ? 'SQL' : `SQL, part ${i + 1} of ${pieces.length}`,
          },
          // Of several parts one may be emptied; all together must not be.
          optional: pieces.length > 1,
          element: {
            type: 'plain_text_input',
            action_id: piece.endsLine ? sqlActionIds.endsLine : sqlActionIds.inLine,
            multiline: true,
            initial_value: piece.text,
            max_length: slackLimits.plainTextInput,
            ...(i === 0 ? { focus_on_load: true } : {}),
          },
        }),
      ),
      ...(given.problem?.is === 'too-heavy' ? [runAnywayBlock] : []),
      {
        type: 'context',
        elements: [{ type: 'plain_text', text: note }],
      },
    ],
  }
}

const runAnyway = { block: 'run_anyway', action: 'given' } as const

const runAnywayBlock: SlackBlock = {
  type: 'input',
  block_id: runAnyway.block,
  optional: true,
  label: { type: 'plain_text', text: 'It reads much' },
  element: {
    type: 'checkboxes',
    action_id: runAnyway.action,
    options: [{ text: { type: 'plain_text', text: 'Run it all the same' }, value: 'yes' }],
  },
}

/** The block at which an error about the SQL is shown. */
export const firstSqlBlock = `${pieceBlock}0`

/** What a submitted form holds, by block and action. */
type FormValues = Readonly<
  Record<
    string,
    Readonly<
      Record<string, { readonly value?: string | null; readonly selected_options?: readonly unknown[] }>
    >
  >
>

/** Whether a submitted form says that what reads much is to be run. */
export const isRunAnywayChecked = (values: FormValues): boolean =>
  (values[runAnyway.block]?.[runAnyway.action]?.selected_options ?? []).length > 0

/** The SQL of a submitted form, its parts joined as they were cut. */
export const readSqlInputs = (values: FormValues): string =>
  joinSql(
    Object.keys(values)
      .filter(block => block.startsWith(pieceBlock))
      .sort((a, b) => Number(a.slice(pieceBlock.length)) - Number(b.slice(pieceBlock.length)))
      .map(block => {
        const given = values[block] ?? {}
        const endsLine = sqlActionIds.endsLine in given
        const text = given[endsLine ? sqlActionIds.endsLine : sqlActionIds.inLine]?.value ?? ''
        return { text, endsLine }
      }),
  ).trim()

const textSection = (mrkdwn: string): SlackBlock => ({
  type: 'section',
  text: { type: 'mrkdwn', verbatim: true, text: mrkdwn },
})

/** A piece of SQL in an input of its own. `endsLine`: a line break came after it. */
interface SqlPiece {
  readonly text: string
  readonly endsLine: boolean
}

/**
 * Cuts SQL into pieces of at most `most` characters, at a line break where there is one, else where no blank is on
 * either side: whoever fills in a form may get it back without the blanks at its ends.
 */
const splitSql = (sql: string, most: number): SqlPiece[] => {
  const pieces: SqlPiece[] = []
  let rest = sql
  while (rest.length > most) {
    const lineEnd = rest.lastIndexOf('\n', most)
    const end = lineEnd > 0 ? lineEnd : betweenWords(rest, most)
    pieces.push({ text: rest.slice(0, end), endsLine: lineEnd > 0 })
    rest = rest.slice(lineEnd > 0 ? end + 1 : end)
  }
  return [...pieces, { text: rest, endsLine: false }]
}

/** The SQL again, though blanks at the ends of pieces may be gone. */
const joinSql = (pieces: readonly SqlPiece[]): string =>
  pieces.map(({ text, endsLine }) => (endsLine ? `${text}\n` : text)).join('')

/** The last place before `most` with a character on either side, and no surrogate pair across it. */
const betweenWords = (text: string, most: number): number => {
  for (let at = most; at > 0; at -= 1) {
    if (/^[^\s\uD800-\uDBFF]\S$/.test(text.slice(at - 1, at + 1))) return at
  }
  return most
}
