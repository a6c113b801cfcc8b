import { callbackIds } from '../action-ids.ts'
import { plainContextBlock, plainText, sectionBlock } from '../block-kit/blocks.ts'
import { formModal, type Modal, readingModal } from '../block-kit/modal.ts'
import { type SlackBlock, slackLimits } from '../block-kit/schema.ts'
import { escapeAndTruncate, escapeMrkdwn } from '../block-kit/text.ts'
import {
  editSqlForm,
  fixSqlForm,
  runAnywayField,
  sqlFieldLabel,
  sqlModalTitle,
} from '../copy/answer-actions.ts'
import { formProblem } from '../copy/digest-forms.ts'
import { labels } from '../copy/phrases.ts'

/** The SQL behind an answer. */
export const sqlModal = (answer: { readonly sql: string; readonly assumptions: readonly string[] }): Modal =>
  readingModal(callbackIds.showSql, sqlModalTitle, [
    ...sqlBlocks(answer.sql),
    ...answer.assumptions
      .slice(0, 10)
      .map(assumption => plainContextBlock(assumption.slice(0, 2_000) || '–')),
  ])

/** A section takes 3,000 characters, of which the fence needs a few. */
const SQL_PER_BLOCK = 2_900

/** SQL spread over as many blocks as it takes, never cut: what ran must be readable whole. */
export const sqlBlocks = (sql: string): SlackBlock[] => {
  const shown = sql.replaceAll('```', "'''")
  return splitText(shown, SQL_PER_BLOCK, escapeMrkdwn).map(piece =>
    sectionBlock(`\`\`\`${escapeMrkdwn(piece)}\`\`\``),
  )
}

/**
 * Cuts text into pieces of at most `most` characters as they are `shown`, after the last line break of a piece if it has
 * one. Joined, the pieces are the text again. Never splits a surrogate pair.
 */
export const splitText = (
  text: string,
  most: number,
  shown: (piece: string) => string = piece => piece,
): string[] => {
  const pieces: string[] = []
  let rest = text
  while (shown(rest).length > most) {
    const fits = fitting(rest, most, shown)
    const lineEnd = rest.lastIndexOf('\n', fits - 1) + 1
    const splitsPair = /[\uD800-\uDBFF]/.test(rest[fits - 1] ?? '')
    const end = lineEnd > 0 ? lineEnd : splitsPair && fits > 1 ? fits - 1 : fits
    pieces.push(rest.slice(0, end))
    rest = rest.slice(end)
  }
  return [...pieces, rest]
}

/** How many characters from the beginning fit, one at least. */
const fitting = (text: string, most: number, shown: (piece: string) => string): number => {
  let [fits, tooMany] = [1, Math.min(text.length, most) + 1]
  while (tooMany - fits > 1) {
    const middle = (fits + tooMany) >> 1
    if (shown(text.slice(0, middle)).length <= most) fits = middle
    else tooMany = middle
  }
  return fits
}

/** An input takes 3,000 characters; each piece of longer SQL leaves room to write in. */
const SQL_PER_INPUT = 2_500

const pieceBlock = 'sql_'

/** Action ids of a piece that ends in the middle of a line, and of one that ends with it. */
const sqlActionIds = { inLine: 'sql', endsLine: 'sql_line' } as const

/** Who edits: anyone in the thread, or a reviewer. */
export type EditPurpose = 'edit' | 'fix'

const purposes = {
  edit: { callback: callbackIds.editSql, texts: editSqlForm },
  fix: { callback: callbackIds.reviewFix, texts: fixSqlForm },
} as const

/** Why the last attempt failed: the query is wrong, or it reads so much that a person must confirm it. */
export interface EditProblem {
  readonly is: 'wrong' | 'too-heavy'
  readonly message: string
}

/** SQL to change, in as many inputs as it takes. */
export const editSqlModal = (given: {
  readonly purpose: EditPurpose
  readonly questionId: string
  readonly question: string
  readonly sql: string
  readonly problem?: EditProblem
}): Modal => {
  const { callback, texts } = purposes[given.purpose]
  const pieces = splitSql(given.sql, SQL_PER_INPUT)
  return formModal({
    callbackId: callback,
    title: texts.title,
    submit: labels.run,
    metadata: given.questionId,
    blocks: [
      sectionBlock(`*${escapeAndTruncate(given.question || '–', 1_000)}*`),
      ...(given.problem === undefined
        ? []
        : [sectionBlock(formProblem(escapeAndTruncate(given.problem.message, 1_500)))]),
      ...pieces.map(
        (piece, i): SlackBlock => ({
          type: 'input',
          block_id: `${pieceBlock}${i}`,
          label: plainText(sqlFieldLabel(i + 1, pieces.length)),
          // One of several parts may be emptied; all of them together must not be.
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
      plainContextBlock(texts.note),
    ],
  })
}

const runAnyway = { block: 'run_anyway', action: 'given' } as const

const runAnywayBlock: SlackBlock = {
  type: 'input',
  block_id: runAnyway.block,
  optional: true,
  label: plainText(runAnywayField.label),
  element: {
    type: 'checkboxes',
    action_id: runAnyway.action,
    options: [{ text: plainText(runAnywayField.option), value: 'yes' }],
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

/** Whether a submitted form confirms a query that reads a lot. */
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

/** A piece of SQL in an input of its own. `endsLine`: a line break came after it. */
interface SqlPiece {
  readonly text: string
  readonly endsLine: boolean
}

/**
 * Cuts SQL into pieces of at most `most` characters, at a line break if there is one, else where no blank is on either
 * side: Slack may return a field without the blanks at its ends.
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

/** Joins the pieces; blanks at their ends may be gone. */
const joinSql = (pieces: readonly SqlPiece[]): string =>
  pieces.map(({ text, endsLine }) => (endsLine ? `${text}\n` : text)).join('')

/** The last place before `most` with a character on either side, and no surrogate pair across it. */
const betweenWords = (text: string, most: number): number => {
  for (let at = most; at > 0; at -= 1) {
    if (/^[^\s\uD800-\uDBFF]\S$/.test(text.slice(at - 1, at + 1))) return at
  }
  return most
}
