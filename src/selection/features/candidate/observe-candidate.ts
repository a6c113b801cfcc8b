import type { Catalog } from '../../../core/catalog.ts'
import type { CandidateObservation } from '../../../core/observation.ts'
import type { ResultTable } from '../../../core/result.ts'
import { foldText } from '../../../lib/fold-text.ts'
import { sqlLiterals } from '../../../sql/sql-literals.ts'
import { sqlReferences } from '../../../sql/sql-references.ts'
import { sqlShape } from '../../../sql/sql-shape.ts'
import { sqlSkeleton } from '../../../sql/sql-skeleton.ts'
import { compareWithQuestion } from '../../back-reading/compare-with-question.ts'
import { describeSql } from '../../back-reading/describe-sql.ts'
import { questionCues } from '../../back-reading/question-cues.ts'
import { type AnswerPrior, makeAnswerPrior } from '../../expectation/expect-answer.ts'
import type { ShapePriorModel } from '../../expectation/expectation-model.ts'
import type { CandidateFacts } from './candidate-facts.ts'
import { candidateMeasures } from './candidate-measures.ts'
import { sketchResult } from './sketch-result.ts'
import { statementParts } from './statement-parts.ts'

/** Numbers are kept short: they are stored with every candidate. */
const DIGITS = 4

/** Questions of one database that are worked on at a time. */
const MOST_REMEMBERED = 16

/** Makes what observes candidates. What a question leads one to expect is read once for its candidates. */
export const makeObserveCandidate = (model: ShapePriorModel) => {
  const expectAnswer = makeAnswerPrior(model)
  const read = new WeakMap<Catalog, Map<string, AnswerPrior>>()
  const expectationOf = (question: string, catalog: Catalog): AnswerPrior => {
    const ofCatalog = read.get(catalog) ?? new Map<string, AnswerPrior>()
    read.set(catalog, ofCatalog)
    const expectation = ofCatalog.get(question) ?? expectAnswer(question, catalog)
    // The newest stand last; the oldest has to go.
    ofCatalog.delete(question)
    ofCatalog.set(question, expectation)
    if (ofCatalog.size > MOST_REMEMBERED) ofCatalog.delete(ofCatalog.keys().next().value ?? question)
    return expectation
  }

  return (
    candidate: { readonly sql: string; readonly question: string; readonly table: ResultTable },
    catalog: Catalog,
  ): CandidateObservation => {
    const { sql, question, table } = candidate
    const shape = sqlShape(sql, catalog.dialect)
    const references = sqlReferences(sql, catalog.dialect)
    const { sketch, distinctRows, nullShare } = sketchResult(table)
    const facts: CandidateFacts = {
      cues: questionCues(foldText(question)),
      ...{ shape, references, table, distinctRows, nullShare, catalog },
    }
    const described = describeSql(sql, catalog)
    const expectation = shape === null ? null : expectationOf(question, catalog)
    const measures = [
      ...candidateMeasures.map(({ name, measure }) => [name, measure(facts)] as const),
      ...Object.entries(described === null ? {} : compareWithQuestion(question, described, catalog)).map(
        ([name, value]) => [`back-${name}`, value] as const,
      ),
      ...(shape === null || expectation === null ? [] : priorMeasures(shape, expectation)),
    ]
    return {
      measures: Object.fromEntries(
        measures.filter(([, value]) => value !== 0).map(([name, value]) => [name, short(value)]),
      ),
      parts: statementParts({
        ...{ shape, references },
        literals: sqlLiterals(sql, catalog.dialect),
        skeleton: sqlSkeleton(sql, catalog.dialect),
      }),
      sketch,
      columnOrder: shape === null || expectation === null ? 0 : short(expectation.columnOrder(shape)),
    }
  }
}

const priorMeasures = (
  shape: NonNullable<CandidateFacts['shape']>,
  expectation: AnswerPrior,
): readonly (readonly [string, number])[] => {
  const { surprise, logLikelihood } = expectation.shape(shape)
  const { score, extraWeight, missingWeight } = expectation.columns(shape)
  return [
    ['expect-log-likelihood', logLikelihood],
    ['expect-surprise-shown', surprise.shown],
    ['expect-surprise-rows', surprise.rows],
    ['expect-surprise-way', surprise.way],
    ['expect-columns', score],
    ['expect-columns-extra', extraWeight],
    ['expect-columns-missing', missingWeight],
  ]
}

const short = (value: number): number => Number(value.toPrecision(DIGITS))
