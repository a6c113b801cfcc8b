import type { Catalog } from '../../core/catalog.ts'
import { readQueryTree } from '../../sql/query-tree/read-query-tree.ts'
import { readQuestionWords } from '../back-reading/question-words.ts'
import { compareResults } from './compare-results.ts'
import { planLiteralProbe } from './literal-held.ts'
import { planJoinPartnersProbe } from './partners-of-keys.ts'
import type { Finding, Probe, ProbedPair, ProbedStatement } from './probe.ts'
import { planRowsWithoutPartnerProbe } from './rows-without-partner.ts'
import { planTieProbe } from './tie-at-top.ts'

/** What tells two statements apart: what their results say already, and what a small query would add. */
export interface ProbePlan {
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
