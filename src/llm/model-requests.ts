import type { AskForExamples, ExampleQuery } from '../domain/candidate.ts'
import type { AskForRewrite, Transcript } from '../domain/conversation.ts'
import type { DescribeTable } from '../domain/knowledge.ts'
import type { AskForMetricQuery } from '../domain/metrics/metric-reading.ts'
import type {
  AskForHeadline,
  AskForJudgment,
  AskForSql,
  DraftedAmbiguity,
  DraftedSql,
  ModelRequest,
} from '../domain/model.ts'
import type { AskForKeywords, Keyword } from '../domain/question-context.ts'
import type { AgentReplyName, AgentReplyOf, AskAgent } from '../domain/strategies/strategy.ts'
import { foldText } from '../lib/fold-text.ts'
import { type AskModel, type AskModelDeps, makeAskModel } from './ask-model.ts'
import type { OutputName, OutputOf } from './outputs.ts'

/** The outputs of prompts that ask for a statement. */
const sqlOutputs = [
  'divide-and-conquer',
  'query-plan',
  'drafted-sql',
  'fixed-sql',
] as const satisfies readonly OutputName[]

/** Makes the function that asks for statements, from a way to ask models or from what that needs. */
export const makeAskForSql = (deps: AskModelDeps | AskModel): AskForSql => {
  const askModel = typeof deps === 'function' ? deps : makeAskModel(deps)
  return async request => {
    const { value, ...rest } = await askModel(request, sqlOutputs)
    return { value: toDraft(value), ...rest }
  }
}

/** More meanings than these are no question that a person would answer. */
const maxMeanings = 4

/**
 * A reply as a draft. What a model says of its outcome counts if the rest bears it out: several meanings need a
 * statement each, and a schema that cannot answer needs a reason or no statement.
 */
const toDraft = (reply: OutputOf<(typeof sqlOutputs)[number]>): DraftedSql => {
  const assumptions = reply.assumptions.map(text => text.trim()).filter(text => text !== '')
  const missing = reply.missing.trim()
  if (reply.outcome === 'cannot-answer' && missing !== '') return { sql: '', assumptions, missing }
  const meanings = meaningsOf(reply)
  const sql = cleanSql(reply.sql) || (meanings[0]?.sql ?? '')
  if (reply.outcome === 'ambiguous' && meanings.length > 1) {
    const ambiguity = { unclear: reply.unclear.trim(), meanings }
    return { sql: meanings[0]?.sql ?? sql, assumptions, ambiguity }
  }
  return { sql, assumptions, ...(sql === '' && missing !== '' && { missing }) }
}

/** Meanings with a label and a statement of their own. */
const meaningsOf = ({
  meanings,
}: Pick<OutputOf<(typeof sqlOutputs)[number]>, 'meanings'>): DraftedAmbiguity['meanings'] => {
  const known = new Map<string, { label: string; sql: string }>()
  for (const { label, sql } of meanings) {
    const meaning = { label: label.replace(/\s+/g, ' ').trim(), sql: cleanSql(sql) }
    if (meaning.label !== '' && meaning.sql !== '' && !known.has(meaning.sql)) known.set(meaning.sql, meaning)
  }
  return [...known.values()].slice(0, maxMeanings)
}

/** Makes the function that asks agents of published systems; their statements come without fences. */
export const makeAskAgent =
  (askModel: AskModel): AskAgent =>
  async <Name extends AgentReplyName>({ reply, ...request }: ModelRequest & { readonly reply: Name }) => {
    const { value, ...rest } = await askModel(request, [reply])
    // Every agent that writes a statement calls it `sql`.
    const cleaned = 'sql' in value ? { ...value, sql: cleanSql(value.sql) } : value
    return { value: cleaned as AgentReplyOf<Name>, ...rest }
  }

/** Makes the function that asks for metric queries. */
export const makeAskForMetricQuery =
  (askModel: AskModel): AskForMetricQuery =>
  request =>
    askModel(request, ['metric-query'])

/** Each is run before it is shown, however many a model sends. */
const maxExamplesPerKind = 20

/** Makes the function that asks for example questions about one database. */
export const makeAskForExamples =
  (askModel: AskModel): AskForExamples =>
  async request => {
    const { value, usage } = await askModel(request, ['examples'])
    return { value: { features: cleanExample(value.features), focused: cleanExample(value.focused) }, usage }
  }

const cleanExample = (examples: readonly ExampleQuery[]): readonly ExampleQuery[] =>
  examples
    .map(({ question, sql }) => ({ question: question.replace(/\s+/g, ' ').trim(), sql: cleanSql(sql) }))
    .filter(({ question, sql }) => question !== '' && sql !== '')
    .slice(0, maxExamplesPerKind)

/** A model's statement without the fence and the closing semicolon that models like to add. */
export const cleanSql = (sql: string): string => {
  const fenced = /^```(?:\w+)?\s*\n([\s\S]*?)```\s*$/.exec(sql.trim())
  return (fenced?.[1] ?? sql).trim().replace(/(?:\s*;)+$/, '')
}

/** Makes the function that asks which of two statements is better. */
export const makeAskForJudgement =
  (askModel: AskModel): AskForJudgment =>
  async request => {
    const { value, usage } = await askModel(request, ['judgement'])
    return { value: { winner: value.winner, reason: value.reason.replace(/\s+/g, ' ').trim() }, usage }
  }

/** Makes the function that asks for the first line of an answer. */
export const makeAskForHeadline =
  (askModel: AskModel): AskForHeadline =>
  async request => {
    const { value, usage } = await askModel(request, ['headline'])
    return { value: value.headline.trim(), usage }
  }

/** Each is a lookup; a question names a handful of things. */
const maxPhrases = 20

const maxSpellings = 6

/** The longest value that the index holds. */
const maxPhraseLength = 120

/** A model's guess at a spelling is worth a little less than what the question says. */
const defaultPhraseWeight = 0.9

/** Makes the function that asks for keywords: phrases of the question and their other spellings. */
export const makeAskForKeywords =
  (askModel: AskModel): AskForKeywords =>
  async ({ question, tables, ...request }) => {
    const { value, usage } = await askModel(
      { ...request, role: 'keywords', prompt: 'extract-keywords', variables: { tables, question } },
      ['keywords'],
    )
    return {
      value: value.phrases.slice(0, maxPhrases).flatMap(phrase => toKeywords(phrase, question)),
      usage,
    }
  }

type Phrase = OutputOf<'keywords'>['phrases'][number]

/** A phrase that is not in the question is a guess too, and is kept in the model's words. */
const toKeywords = ({ phrase, spellings }: Phrase, question: string): readonly Keyword[] => {
  const said = phrase.trim()
  const isSaid = foldText(question).includes(foldText(said))
  return [said, ...spellings.slice(0, maxSpellings).map(spelling => spelling.trim())]
    .filter(text => text !== '' && text.length <= maxPhraseLength)
    .map((text, at) => ({
      text,
      said,
      source: 'model',
      weight: isSaid && at === 0 ? 1 : defaultPhraseWeight,
    }))
}

/** Statements are cut to this length; the rest of a long one says little more. */
const maxSqlLength = 600

/** The oldest messages are dropped first. */
const maxThreadLength = 5_500

/** Makes the function that asks what a message means. The thread is passed as data, with who said what. */
export const makeAskForRewrite =
  (askModel: AskModel): AskForRewrite =>
  ({ message: said, transcript, columns, tables, ...request }) =>
    askModel(
      {
        ...request,
        role: 'rewriter',
        prompt: 'rewrite-follow-up',
        variables: { tables, thread: describeThread(transcript, columns), message: said },
      },
      ['rewrite'],
    )

/**
 * The questions of a thread with the SQL of their answers, and what people said in between, in order; only the latest
 * of a long thread. `columns` are those of the last answer. Results are left out: a headline may contain a value of the
 * database, and no rewrite needs it.
 */
export const describeThread = (
  { turns, comments: remarks }: Transcript,
  columns: readonly string[],
): string => {
  const entries = [
    ...turns.map(turn => ({
      at: turn.askedAt,
      text: [
        `${turn.askedBy ?? 'somebody'} asked: ${turn.originalText}`,
        ...(turn.text === turn.originalText ? [] : [`read as: ${turn.text}`]),
        ...(turn.askedBack === undefined ? [] : [`asked back: ${toOneLine(turn.askedBack)}`]),
        `${turn.askedBack === undefined ? 'answered by' : 'without a reply answered by'}: ${toOneLine(turn.sql).slice(0, maxSqlLength)}`,
        ...(turn === turns.at(-1) && columns.length > 0 ? [`columns shown: ${columns.join(', ')}`] : []),
      ].join('\n'),
    })),
    ...remarks.map(({ by, text, at }) => ({ at, text: `${by} said to the others: ${toOneLine(text)}` })),
  ]
  const told: string[] = []
  let characters = 0
  for (const { text } of entries.toSorted((a, b) => b.at.getTime() - a.at.getTime())) {
    characters += text.length + 2
    if (characters > maxThreadLength && told.length > 0) break
    told.unshift(text)
  }
  return told.join('\n\n')
}

const toOneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()

/** A description is one sentence; longer ones are cut. */
const maxDescriptionLength = 240

/** At most this many columns per call. */
const maxDescribedColumns = 60

/**
 * Makes the function that asks for descriptions. Columns that were not asked for and empty texts are dropped from the
 * reply.
 */
export const makeDescribeTable =
  (askModel: AskModel): DescribeTable =>
  async ({ database, rendered, columns }, { signal } = {}) => {
    const asked = columns.slice(0, maxDescribedColumns)
    const { value, usage } = await askModel(
      {
        role: 'describer',
        prompt: 'describe-table',
        variables: { database, table: rendered, columns: asked.join('\n') },
        ...(signal ? { signal } : {}),
      },
      ['descriptions'],
    )
    const table = onOneLine(value.table)
    return {
      value: {
        table: table === '' ? null : table,
        columns: asked.flatMap(column => {
          const found = value.columns.find(one => one.column === column)
          const text = onOneLine(found?.description ?? '')
          return text === '' ? [] : [{ column, text }]
        }),
      },
      usage,
    }
  }

/**
 * A model's text goes into a file and into prompts, so it becomes one line without anything that would end it or
 * begin another section.
 */
const onOneLine = (text: string): string => {
  const line = text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to be rid of
    .replace(/[\s\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ')
    .replace(/<!--|-->/g, '')
    .trim()
  return line.length > maxDescriptionLength ? `${line.slice(0, maxDescriptionLength - 1)}…` : line
}
