import { createHash } from 'node:crypto'
import type { CandidateObservation, ResultSketch, StatementPartKind } from '../../domain/candidate.ts'
import type { Catalog } from '../../domain/catalog.ts'
import type { FindMeantPhrases } from '../../domain/metrics/meant-phrase.ts'
import type { ResultTable } from '../../domain/result.ts'
import { foldText } from '../../lib/fold-text.ts'
import {
  type SqlLiteral,
  type SqlReferences,
  sqlLiterals,
  sqlReferences,
} from '../../sql/analyze/sql-scopes.ts'
import { type SqlShape, sqlShape } from '../../sql/analyze/sql-shape.ts'
import { sqlSkeleton } from '../../sql/analyze/sql-skeleton.ts'
import { describeSql } from '../../sql/describe/describe-sql.ts'
import { compareWithQuestion } from '../question-match/compare-with-question.ts'
import { questionCues } from '../question-match/question-cues.ts'
import { canonicalCell } from '../result-key.ts'
import { type AnswerPrior, makeAnswerPrior } from '../shape-prior/answer-prior.ts'
import type { ShapePriorModel } from '../shape-prior/shape-prior-model.ts'
import { type CandidateFacts, candidateMeasures } from './candidate-measures.ts'

/** Numbers are kept short: they are stored with every candidate. */
const DIGITS = 4

/** Questions of one database that are worked on at a time. */
const MOST_REMEMBERED = 16

/** What a question is read against. */
type Known = Parameters<FindMeantPhrases>[1]

interface ObservingDeps {
  readonly shapePrior: ShapePriorModel
  readonly findMeantPhrases: FindMeantPhrases
}

/** Remembers what was read of the newest questions of each database. */
const rememberNewest = <Read>(read: (question: string, known: Known) => Read) => {
  const byCatalog = new WeakMap<Catalog, Map<string, Read>>()
  return (question: string, known: Known): Read => {
    const ofCatalog = byCatalog.get(known.catalog) ?? new Map<string, Read>()
    byCatalog.set(known.catalog, ofCatalog)
    const found = ofCatalog.get(question) ?? read(question, known)
    // The newest stand last; the oldest has to go.
    ofCatalog.delete(question)
    ofCatalog.set(question, found)
    if (ofCatalog.size > MOST_REMEMBERED) ofCatalog.delete(ofCatalog.keys().next().value ?? question)
    return found
  }
}

/** Makes what observes candidates. What a question leads one to expect is read once for its candidates. */
export const makeObserveCandidate = ({ shapePrior, findMeantPhrases }: ObservingDeps) => {
  const expectAnswer = makeAnswerPrior(shapePrior)
  const priorOf = rememberNewest((question, { catalog }): AnswerPrior => expectAnswer(question, catalog))
  const meantBy = rememberNewest(findMeantPhrases)

  return (
    candidate: { readonly sql: string; readonly question: string; readonly table: ResultTable },
    known: Known,
  ): CandidateObservation => {
    const { sql, question, table } = candidate
    const { catalog } = known
    const shape = sqlShape(sql, catalog.dialect)
    const references = sqlReferences(sql, catalog.dialect)
    const literals = sqlLiterals(sql, catalog.dialect) ?? []
    const { sketch, distinctRows, nullShare } = sketchResult(table)
    const facts: CandidateFacts = {
      cues: questionCues(foldText(question)),
      ...{ shape, references, table, distinctRows, nullShare, catalog },
      literals,
      meant: meantBy(question, known),
    }
    const described = describeSql(sql, catalog)
    const prior = shape === null ? null : priorOf(question, known)
    const measures = [
      ...candidateMeasures.map(({ name, measure }) => [name, measure(facts)] as const),
      ...Object.entries(described === null ? {} : compareWithQuestion(question, described, catalog)).map(
        ([name, value]) => [`mismatch-${name}`, value] as const,
      ),
      ...(shape === null || prior === null ? [] : priorMeasures(shape, prior)),
    ]
    return {
      measures: Object.fromEntries(
        measures.filter(([, value]) => value !== 0).map(([name, value]) => [name, short(value)]),
      ),
      parts: statementParts({
        ...{ shape, references, literals },
        skeleton: sqlSkeleton(sql, catalog.dialect),
      }),
      sketch,
      columnOrder: shape === null || prior === null ? 0 : short(prior.columnOrder(shape)),
    }
  }
}

const priorMeasures = (
  shape: NonNullable<CandidateFacts['shape']>,
  prior: AnswerPrior,
): readonly (readonly [string, number])[] => {
  const { surprise, logLikelihood } = prior.shape(shape)
  const { score, extraWeight, missingWeight } = prior.columns(shape)
  return [
    ['prior-log-likelihood', logLikelihood],
    ['prior-surprise-shown', surprise.shown],
    ['prior-surprise-rows', surprise.rows],
    ['prior-surprise-way', surprise.way],
    ['prior-columns', score],
    ['prior-columns-extra', extraWeight],
    ['prior-columns-missing', missingWeight],
  ]
}

const short = (value: number): number => Number(value.toPrecision(DIGITS))

/** Rows that are looked at: results that differ only further down are told apart by their keys anyway. */
const MOST_ROWS = 2_000

const KEPT = 32

/** Hashes of the parts of a result, and what was counted on the way. */
export const sketchResult = (
  table: ResultTable,
): { readonly sketch: ResultSketch; readonly distinctRows: number; readonly nullShare: number } => {
  const rows = table.rows
    .slice(0, MOST_ROWS)
    .map(row => row.map((cell, at) => canonicalCell(cell, table.columns[at]?.kind ?? 'unknown')))
  const cells = rows.flat()
  return {
    sketch: {
      rows: smallest(rows.map(row => [...row].sort().join('\u0001'))),
      columns: table.columns
        .map((_, at) => shortHash([...new Set(rows.map(row => row[at]))].sort().join('\u0001')))
        .sort(),
      cells: smallest(cells),
    },
    distinctRows:
      new Set(rows.map(row => row.join('\u0001'))).size + Math.max(0, table.rows.length - MOST_ROWS),
    nullShare: cells.length === 0 ? 0 : cells.filter(cell => cell === 'null').length / cells.length,
  }
}

/** The smallest hashes: an unbiased sample, so that what two sketches share is what the sets share (Broder 1997). */
const smallest = (texts: readonly string[]): readonly string[] =>
  [...new Set(texts)].map(shortHash).sort().slice(0, KEPT)

/**
 * The parts that a statement is made of, hashed, so that candidates can be compared part by part: how often each part
 * recurs among the candidates tells which of them are odd ones out (sub-clause frequency, arXiv 2505.23804).
 */
export const statementParts = (read: {
  readonly shape: SqlShape | null
  readonly references: SqlReferences | null
  readonly literals: readonly SqlLiteral[]
  readonly skeleton: string | null
}): Readonly<Record<StatementPartKind, readonly string[]>> => ({
  table: hashed(read.references?.tables.map(({ name }) => name) ?? []),
  column: hashed(read.references?.columns.map(({ table, column }) => `${table ?? ''}.${column}`) ?? []),
  clause: hashed(read.shape === null ? [] : clausesOf(read.shape)),
  literal: hashed(
    read.literals.map(
      ({ value, column }) => `${value}@${column === null ? '' : `${column.table ?? ''}.${column.column}`}`,
    ),
  ),
  skeleton: hashed(read.skeleton === null ? [] : [read.skeleton]),
})

const hashed = (texts: readonly string[]): readonly string[] =>
  [...new Set(texts.map(text => shortHash(text.toLowerCase())))].sort()

/** Every fact of the shape that is the same for all ways to spell it. */
const clausesOf = (shape: SqlShape): readonly string[] => [
  `distinct ${shape.distinct}`,
  `sources ${shape.sources}`,
  `outer ${shape.outerJoins}`,
  `group ${shape.groupBy.length}`,
  `having ${shape.having?.aggregate ?? (shape.having === null ? 'none' : 'plain')}`,
  `order ${shape.orderBy.length}`,
  `limit ${shape.limit === null ? 'none' : shape.limit === 1 ? 'one' : 'some'}`,
  `set ${shape.setOperation ?? 'none'}`,
  `nested ${shape.nested}`,
  `ands ${shape.ands}`,
  `ors ${shape.ors}`,
  `items ${shape.items.length}`,
  `star ${shape.items.some(({ star, aggregate }) => star && aggregate === null)}`,
  `counts-different ${shape.items.some(({ distinct }) => distinct)}`,
  ...shape.orderBy.map(({ direction, aggregate, column }) => `by ${aggregate} ${column} ${direction}`),
  ...shape.items.map(({ aggregate, column }) => `shows ${aggregate} ${column}`),
  ...Object.entries(shape.comparisons).map(([name, times]) => `compares ${name} ${times}`),
]

/** A text as 10 hex digits: two of a question's few thousand texts meet by chance about never. */
const shortHash = (text: string): string => createHash('sha1').update(text).digest('hex').slice(0, 10)
