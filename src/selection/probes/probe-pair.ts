import type { ProbePair } from '../../core/probe-pair.ts'
import { planProbes } from './plan-probes.ts'
import type { Preference } from './probe.ts'
import { sumPreferences } from './sum-preferences.ts'

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
