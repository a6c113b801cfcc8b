import type { Catalog } from '../domain/catalog.ts'
import type { AnswerPeriod, AnswerSubject, ColumnMeaning } from '../domain/metrics/answer-meaning.ts'
import type { ResultHead } from '../domain/result.ts'
import { formatCell } from '../lib/format-cell.ts'
import { formatDays, formatMeant } from '../lib/format-figure.ts'
import type { Contender, KnownContender } from './contenders.ts'
import type { PhraseOptions } from './describe-expression.ts'
import { type QueryPart, type Slot, slots } from './query-parts.ts'

/** A statement in plain words, to tell choices apart that no single difference does; null where it cannot be read. */
export type DescribeStatement = (sql: string, catalog: Catalog) => string | null

/** One option to be: the contenders in it, the likeliest first, and what it is called. */
export interface LabelledBlock {
  readonly block: readonly number[]
  readonly label: string
  /** The label is the result itself. */
  readonly isResult: boolean
}

/** What a person reads at a glance. */
const LONGEST_LABEL = 40

const MOST_PHRASES = 3

/** What the parser's readings took a phrase for; empty labels where not all of them are readings. */
const labelByDecisions: LabelBlocks = (contenders, blocks) => {
  const [leader] = contenders
  const told = (leader?.decisions ?? []).flatMap(({ phrase, kind }) => {
    const own = contenders.map(({ decisions }) =>
      decisions.find(one => one.phrase === phrase && one.kind === kind),
    )
    if (own.includes(undefined)) return []
    const choices = blocks.map(block => new Set(block.map(at => own[at]?.choice ?? '')))
    const constant = choices.every(choice => choice.size === 1)
    const varies = new Set(choices.flatMap(choice => [...choice])).size > 1
    return constant && varies ? [blocks.map(block => own[block[0] ?? 0]?.label ?? '')] : []
  })
  return blocks.map((_, at) => joinPhrases(told.map(labels => withoutOwner(labels)[at] ?? '')))
}

/** `billing country of the order` and `shipping country of the order` without whose they are, if they differ without. */
const withoutOwner = (labels: readonly string[]): readonly string[] => {
  const short = labels.map(label => label.replace(/ of the [^()]+$/, ''))
  return new Set(short).size === new Set(labels).size ? short : labels
}

/** What answers show, in the words of the business: the figure, what it is grouped and filtered by, and its period. */
const makeLabelBySubjects =
  (subjectOf: (candidate: KnownContender['candidate']) => AnswerSubject | null): LabelBlocks =>
  (contenders, blocks) => {
    const subjects = blocks.map(block => {
      const known = contenders[block[0] ?? 0] as KnownContender | undefined
      return known ? subjectOf(known.candidate) : null
    })
    if (subjects.includes(null)) return blocks.map(() => '')
    const facets = subjects.map(subject => (subject === null ? [] : facetsOf(subject)))
    return facets.map(own => joinPhrases(own.filter((text, at) => facets.some(other => other[at] !== text))))
  }

/** The facets by which people tell answers apart, always in this order; empty where an answer has none. */
const facetsOf = ({
  columns,
  rowsOf,
  period,
  conditions,
  limit,
  order,
}: AnswerSubject): readonly string[] => {
  const labels = (isFigure: boolean): readonly string[] =>
    columns.filter(({ role }) => (role.kind === 'figure') === isFigure).map(({ label }) => inSentence(label))
  const keys = labels(false).join(' and ')
  const figures = labels(true)
  return [
    figures.length > 0 ? figures.join(' and ') : (rowsOf?.plural ?? ''),
    figures.length === 0 || keys === '' ? keys : `by ${keys}`,
    conditions.map(({ words }) => words).join(' and '),
    period === null ? '' : `${period.verb ?? ''} ${daysOf(period)}`.trim(),
    limit === null ? '' : `${order?.direction === 'asc' ? 'bottom' : 'top'} ${limit}`,
  ]
}

const daysOf = ({ from, until, phrase }: AnswerPeriod): string => phrase ?? formatDays(from, until)

const inSentence = (label: string): string =>
  /^\p{Lu}\p{Lu}/u.test(label) ? label : label.charAt(0).toLowerCase() + label.slice(1)

/** What the queries of a block have in common and others lack, or lack and others have. */
const makeLabelByParts =
  (options: { readonly saying: PhraseOptions; readonly without: readonly Slot[] }): LabelBlocks =>
  (contenders, blocks) => {
    const read = contenders.map(({ parts }) => parts ?? [])
    if (contenders.some(({ parts }) => parts === null)) return blocks.map(() => '')
    const told = slots.filter(slot => !options.without.includes(slot))
    const shared = blocks.map(block => commonParts(block.map(at => read[at] ?? [])))
    return shared.map((own, at) => {
      const others = shared.filter((_, other) => other !== at).flat()
      return joinPhrases(told.flatMap(slot => describeDifference(slot, own, { shared, others, ...options })))
    })
  }

const commonParts = (lists: readonly (readonly QueryPart[])[]): readonly QueryPart[] => {
  const [first = [], ...rest] = lists
  return first.filter(part => rest.every(list => has(list, part)))
}

const has = (parts: readonly QueryPart[], { slot, key }: QueryPart): boolean =>
  parts.some(part => part.slot === slot && part.key === key)

const describeDifference = (
  slot: Slot,
  own: readonly QueryPart[],
  {
    shared,
    others,
    saying,
  }: {
    readonly shared: readonly (readonly QueryPart[])[]
    readonly others: readonly QueryPart[]
    readonly saying: PhraseOptions
  },
): readonly string[] => {
  const inAll = (part: QueryPart): boolean => shared.every(parts => has(parts, part))
  const mine = own.filter(part => part.slot === slot && !inAll(part))
  if (mine.length > 0) return mine.map(part => part.say(saying))
  const lacking = others.find(part => part.slot === slot && !inAll(part) && !has(own, part))
  return lacking === undefined ? [] : [lacking.sayWithout(saying)]
}

/** As many phrases as fit; none if the first alone does not: nobody chooses by half of a sentence. */
const joinPhrases = (phrases: readonly string[]): string => {
  let label = ''
  for (const phrase of [...new Set(phrases)].filter(phrase => phrase !== '').slice(0, MOST_PHRASES)) {
    const longer = label === '' ? phrase : `${label}, ${phrase}`
    if (longer.length > LONGEST_LABEL) return label
    label = longer
  }
  return label
}

/** Ways to say what a choice is by its query, the shortest first. */
const byQuery: readonly LabelBlocks[] = [
  labelByDecisions,
  makeLabelByParts({ saying: { tables: false }, without: ['table', 'link'] }),
  makeLabelByParts({ saying: { tables: true }, without: ['table', 'link'] }),
  makeLabelByParts({ saying: { tables: true }, without: [] }),
]

/**
 * Says what each block of a partition is, in the first way that tells all of them apart: by what differs, by the whole
 * statement in words, by the result. Where none does, the way that tells most apart is taken, and blocks that are
 * called the same become one: nobody could choose between them.
 */
export const chooseLabels = (
  contenders: readonly KnownContender[],
  blocks: readonly (readonly number[])[],
  given: {
    readonly catalog: Catalog
    readonly heads: ReadonlyMap<string, ResultHead>
    readonly describe?: DescribeStatement
    readonly subjectOf?: (candidate: KnownContender['candidate']) => AnswerSubject | null
    /** Results are labels where nothing else tells the choices apart. */
    readonly byResults: boolean
  },
): readonly LabelledBlock[] => {
  const bySubjects = given.subjectOf ? [makeLabelBySubjects(given.subjectOf)] : []
  const byWhole: LabelBlocks = () =>
    blocks.map(block => {
      const sql = contenders[block[0] ?? 0]?.candidate.sql
      return joinPhrases([(sql !== undefined && given.describe?.(sql, given.catalog)) || ''])
    })
  const byResult: LabelBlocks = () =>
    blocks.map(block => {
      const run = contenders[block[0] ?? 0]?.candidate.run
      return joinPhrases([(run?.status === 'ran' && formatResult(given.heads.get(run.resultId))) || ''])
    })
  let best: readonly LabelledBlock[] = []
  const [byDecisions, ...byParts] = byQuery
  const ways = [...(byDecisions ? [byDecisions] : []), ...bySubjects, ...byParts, byWhole]
  for (const way of given.byResults ? [...ways, byResult] : ways) {
    const merged = mergeEqual(blocks, way(contenders, blocks), way === byResult)
    if (merged.length > best.length) best = merged
    if (best.length === blocks.length) break
  }
  return best
}

/** Blocks without a label of their own cannot be offered: the leader's block then makes the whole way useless. */
const mergeEqual = (
  blocks: readonly (readonly number[])[],
  labels: readonly string[],
  isResult: boolean,
): readonly LabelledBlock[] => {
  if (labels[0] === '') return []
  const merged = new Map<string, LabelledBlock>()
  labels.forEach((label, at) => {
    if (label === '') return
    const key = label.toLowerCase()
    const block = [...(merged.get(key)?.block ?? []), ...(blocks[at] ?? [])]
    merged.set(key, { block, label, isResult })
  })
  return [...merged.values()]
}

type Blocks = readonly (readonly number[])[]

/** One way to tell blocks apart in words, a label a block. */
type LabelBlocks = (contenders: readonly Contender[], blocks: Blocks) => readonly string[]

const LONGEST_CELL = 24

const MOST_ROWS = 3

/** What a choice would give, for beside its label: the value itself if there is one, else how many rows. */
export const formatHint = (
  head: ResultHead | undefined,
  rowCount: number,
  meaningOf: () => ColumnMeaning | undefined = () => undefined,
): string => {
  const [row] = head?.rows ?? []
  const [column] = head?.columns ?? []
  if (rowCount === 1 && row?.length === 1 && column) {
    const meaning = meaningOf()
    return (meaning && formatMeant(row[0] ?? null, { ...column, meaning })) ?? cell(row[0] ?? null)
  }
  return `${rowCount} ${rowCount === 1 ? 'row' : 'rows'}`
}

/** A result by its first rows, for choices that differ in nothing that could be said shorter; null without rows. */
const formatResult = (head: ResultHead | undefined): string | null => {
  if (head === undefined || head.rows.length === 0) return null
  const rows = head.rows.slice(0, MOST_ROWS).map(row => row.slice(0, MOST_ROWS).map(cell).join(', '))
  return `${rows.join('; ')}${head.rowCount > MOST_ROWS ? '; …' : ''}`
}

const cell = (value: Parameters<typeof formatCell>[0]): string =>
  formatCell(value, { maxLength: LONGEST_CELL, grouped: true })
