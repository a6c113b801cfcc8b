import type { Catalog } from '../../domain/catalog.ts'
import type { ResultTable } from '../../domain/result.ts'
import type { ProbePair } from '../../domain/selection/pairwise.ts'
import { readQueryTree } from '../../sql/rewrite/plain-query.ts'
import type { QueryTree } from '../../sql/tree/query-tree.ts'
import { type QuestionWords, readQuestionWords } from '../question-match/question-words.ts'
import { compareResults } from './compare-results.ts'
import { planJoinPartnersProbe, planLiteralProbe, planRowsWithoutPartnerProbe } from './table-probes.ts'
import { planTieProbe } from './tie-probe.ts'

/** Findings and probes that were right about nine pairs in ten or more; what else there is leans, and decides nothing. */
const STRONG = new Set([
  'extra-column',
  'one-is-empty',
  'one-is-zero',
  'one-cell',
  'literal-held',
  'tie-at-top',
])

/** So much must be said together, of at most 1. */
const CLEAR = 0.5

interface ProbeConclusion {
  readonly preference: Preference
  readonly reason: string
}

/** Tells two statements apart by what their results say and by small queries that check it (SOMA-SQL). */
export const probePair: ProbePair = async ({ question, catalog, first, second, run }) => {
  const { findings, probes } = planProbes(first, second, question, catalog)
  const said: ProbeConclusion[] = findings.filter(({ kind }) => STRONG.has(kind))
  for (const { kind, sql, reason, judge } of probes) {
    if (!STRONG.has(kind)) continue
    const result = await run(sql)
    if (result !== null) said.push({ preference: judge(result), reason: `looked up ${reason}` })
  }
  const heard = said.filter(({ preference }) => preference !== 0)
  const sum = sumPreferences(heard.map(({ preference }) => preference))
  const isMixed = heard.some(({ preference }) => Math.sign(preference) !== Math.sign(sum))
  if (isMixed || Math.abs(sum) < CLEAR) return null
  return {
    winner: sum > 0 ? 'first' : 'second',
    reason: heard.map(({ reason }) => reason).join('; '),
  }
}

/** What tells two statements apart: what their results say already, and what a small query would add. */
interface ProbePlan {
  readonly findings: readonly Finding[]
  readonly probes: readonly Probe[]
}

/**
 * Plans how to tell two statements with different results apart. Nothing is run here: probes are run by the caller
 * through the guard (a probe that settles it beats a question to a person, SOMA-SQL). The sum of all preferences, cut
 * to [-1, 1], is what the evidence says. Swapping the two turns every sign.
 */
export const planProbes = (
  first: ProbedStatement,
  second: ProbedStatement,
  question: string,
  catalog: Catalog,
): ProbePlan => {
  const words = readQuestionWords(question)
  const findings = compareResults(first.result, second.result, words)
  const [a, b] = [readQueryTree(first.sql, catalog.dialect), readQueryTree(second.sql, catalog.dialect)]
  if (a === null || b === null) return { findings, probes: [] }
  const pair: ProbedPair = {
    first: { ...first, tree: a },
    second: { ...second, tree: b },
    question: words,
    catalog,
  }
  const probes = [planLiteralProbe, planRowsWithoutPartnerProbe, planJoinPartnersProbe, planTieProbe]
    .map(plan => plan(pair))
    .filter(probe => probe !== null)
  return { findings, probes }
}

/** What several findings say together, from -1 (the second is right) to 1 (the first is). */
export const sumPreferences = (preferences: readonly Preference[]): Preference =>
  Math.max(
    -1,
    Math.min(
      1,
      preferences.reduce((sum, one) => sum + one, 0),
    ),
  )

/** From -1 (the second is right) to 1 (the first is); 0 says nothing. Swapping the two turns the sign. */
type Preference = number

/** One of two statements with different results. */
interface ProbedStatement {
  readonly sql: string
  readonly result: ResultTable
}

/** What the two results already say, without asking the database anything. */
export interface Finding {
  readonly kind: string
  /** In words, for a person. */
  readonly reason: string
  readonly preference: Preference
}

/** A small query whose result tells two statements apart and can be checked against the question. */
export interface Probe {
  readonly kind: 'literal-held' | 'rows-without-partner' | 'partners-of-keys' | 'tie-at-top'
  /** Run it as any other statement: through the guard, read-only, under the usual caps. */
  readonly sql: string
  /** What is looked up, in words for a person. */
  readonly reason: string
  /** What the result says; 0 for a result of another shape than was asked for. */
  readonly judge: (result: ResultTable) => Preference
}

/** Two statements as a maker of probes reads them. */
export interface ProbedPair {
  readonly first: ProbedStatement & { readonly tree: QueryTree }
  readonly second: ProbedStatement & { readonly tree: QueryTree }
  readonly question: QuestionWords
  readonly catalog: Catalog
}
