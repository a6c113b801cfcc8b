import type { AskForJudgment } from '../../../src/domain/model.ts'
import type { RenderSchema } from '../../../src/domain/question-context.ts'
import type { Cell, ResultTable } from '../../../src/domain/result.ts'
import type { DecidePairWinner, PairMember, RatePair } from '../../../src/domain/selection/pairwise.ts'
import { databaseDialect } from '../../../src/sql/dialects.ts'
import { describeTeamKnowledge, describeTime } from '../drafting/prompt-inputs.ts'
import { describeValues } from '../drafting/value-hints.ts'

/**
 * A model as the judge of a pair (CHASE-SQL 3.5): it gets the question, the union schema, both statements and heads of
 * both results. Without `seesRows` no row of a result is sent, only how many there are and of which columns.
 */
export const makeJudgeWithModel =
  (deps: {
    readonly askForJudgement: AskForJudgment
    readonly renderSchema: RenderSchema
    readonly seesRows: boolean
  }): DecidePairWinner =>
  async ({ understanding, database, linked, matches, first, second, questionId, signal }) => {
    const { value, usage } = await deps.askForJudgement({
      role: 'judge',
      prompt: 'judge-pair',
      variables: {
        dialect: databaseDialect(database.dialect).promptNotes,
        schema: deps.renderSchema(database.catalog, linked, { matches }),
        evidence: describeTeamKnowledge(database.knowledge, { question: understanding.text, linked }),
        values: describeValues(matches, { question: understanding.text, catalog: database.catalog }),
        time: describeTime(understanding),
        question: understanding.text,
        'first-statement': first.sql,
        'first-result': describeResult(first.result, deps),
        'second-statement': second.sql,
        'second-result': describeResult(second.result, deps),
      },
      ...(questionId === undefined ? {} : { questionId }),
      ...(signal ? { signal } : {}),
    })
    return { winner: value.winner, reason: value.reason, usage }
  }

/** Enough to see what a row is; a judge weighs meanings, not totals. */
const MOST_ROWS = 8

const MOST_COLUMNS = 12

const LONGEST_CELL = 60

/** The head of a result for a prompt: how many rows, which columns, and the first rows where they may be shown. */
export const describeResult = (
  result: ResultTable | null,
  { seesRows }: { readonly seesRows: boolean },
): string => {
  if (result === null) return 'It ran; its rows are no longer kept.'
  const { columns, rows, truncated } = result
  const shown = columns.slice(0, MOST_COLUMNS)
  const named = shown.map(({ name, kind }) => `${onOneLine(name)} (${kind})`)
  const more = columns.length > shown.length ? [`and ${columns.length - shown.length} more`] : []
  const count = `${truncated === null ? '' : 'at least '}${rows.length} ${rows.length === 1 ? 'row' : 'rows'}`
  const lines = [`${count}; columns: ${[...named, ...more].join(', ')}`]
  if (!seesRows || rows.length === 0) return lines.join('\n')
  const head = rows.slice(0, MOST_ROWS).map(row => row.slice(0, MOST_COLUMNS).map(describeCell).join(' | '))
  const left = rows.length > MOST_ROWS ? ['...'] : []
  return [...lines, ...head, ...left].join('\n')
}

const describeCell = (cell: Cell): string => {
  if (cell === null) return 'NULL'
  if (cell instanceof Uint8Array) return `(${cell.length} bytes)`
  const text = onOneLine(String(cell))
  return text.length > LONGEST_CELL ? `${text.slice(0, LONGEST_CELL)}…` : text
}

const onOneLine = (text: string): string => text.replace(/\s+/g, ' ')

/**
 * How much of what the vote gives to those behind its leader is theirs: they share all that the leader lacks, and a part
 * of that belongs to answers that nobody drafted. Fitted to pairs of which one is right: .5 on 37 of Spider's dev set,
 * less on its variants (.3 on 19, .2 on 23), so this is rather too much.
 */
const OF_THOSE_BEHIND = 0.5

/** Of two results, each is as likely as its share of what both are given by the vote, whose order is never turned. */
export const ratePairByScore: RatePair = (first, second) =>
  first.rank <= second.rank ? rateLeading(first, second) : 1 - rateLeading(second, first)

const rateLeading = (leading: PairMember, other: PairMember): number => {
  // The selector, which gives reasons, has left room for answers that nobody drafted by itself.
  const takesAll = leading.rank === 0 && leading.group.reasons === undefined
  const behind = other.group.score * (takesAll ? OF_THOSE_BEHIND : 1)
  const both = leading.group.score + behind
  return both > 0 ? Math.max(0.5, leading.group.score / both) : 0.5
}
