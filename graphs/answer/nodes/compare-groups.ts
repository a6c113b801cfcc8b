import type { QuestionContext } from '../../../src/core/brief.ts'
import type { Database } from '../../../src/core/database.ts'
import type { PairMember } from '../../../src/core/judge-pair.ts'
import { ModelError } from '../../../src/core/model-error.ts'
import { addModelUsage, type ModelUsage, noModelUsage } from '../../../src/core/usage.ts'
import type { AnswerDeps, NodeRun } from '../deps.ts'
import { compareAllPairs } from '../pairwise/all-pairs.ts'
import type { AskJudge, ProbeMembers } from '../pairwise/bout.ts'
import { putWinnerFirst } from '../pairwise/crown-winner.ts'
import { runTournament } from '../pairwise/knock-out.ts'
import { cautiousRules, tournamentRules } from '../pairwise/knock-out-rules.ts'
import type { PairwiseJudges } from '../pairwise/pairwise.ts'
import { makeRunProbe } from '../pairwise/run-probe.ts'
import { schemaOfPair } from '../pairwise/schema-of-pair.ts'
import type { State, Update } from '../state.ts'
import { usesTeamTerm } from '../uses-term-of-team.ts'

/** A reason is for the trace: its beginning says it. */
const LONGEST_REASON = 160

type CompareDeps = Pick<
  AnswerDeps,
  'database' | 'workbench' | 'loadResult' | 'widenSchema' | 'drafting' | 'pairwise'
>

/**
 * Compares the groups in pairs once drafting is over: all of them in the full mode (CHASE-SQL 3.5), in a knock-out
 * among the leading ones in the adaptive mode. Before a judge is asked about a pair, a probe may tell the two apart. A
 * judge that fails or may cost no more changes nothing.
 */
export const makeCompareGroups =
  (deps: CompareDeps) =>
  async (state: State, run: NodeRun): Promise<Update> => {
    const { pairwise, drafting } = deps
    const [leader, ...others] = await membersOf(state, deps)
    if (pairwise === null || leader === undefined || others.length === 0) return {}
    const { judge, rate } = pairwise
    const bench = judge === null ? null : makeQuestionJudges({ ...pairwise, judge }, state, run, deps)
    const isWary = bench !== null && (await usesTeamTerm(state, deps, run))
    const contest =
      bench !== null && drafting.mode === 'full'
        ? await compareAllPairs([leader, ...others], bench.ask, bench.probe)
        : await runTournament([leader, ...others], {
            ...{ ask: bench?.ask ?? null, probe: isWary ? null : (bench?.probe ?? null) },
            ...{ rate, rules: isWary ? cautiousRules : tournamentRules },
          })
    const comparisons = contest.comparisons.map(comparison => ({
      ...comparison,
      round: state.round,
      reason: comparison.reason.slice(0, LONGEST_REASON),
    }))
    return {
      comparisons,
      groups: putWinnerFirst(state.groups, contest.winner.group.key),
      usage: bench?.usage() ?? noModelUsage,
    }
  }

const membersOf = async (state: State, { workbench }: CompareDeps): Promise<readonly PairMember[]> => {
  if (state.groups.length < 2) return []
  const candidates = await workbench.loadCandidates(state.question.id)
  return state.groups.flatMap((group, place) => {
    const representative = candidates.find(({ id }) => id === group.representativeId)
    if (representative === undefined) return []
    const drafts = new Set(group.candidateIds.map(id => id.slice(0, id.lastIndexOf('.'))))
    return [{ group, place, representative, votes: drafts.size }]
  })
}

/** What a comparison of one question needs to know of it, loaded once. */
interface Prepared {
  readonly database: Database
  readonly brief: QuestionContext
  readonly runProbe: ReturnType<typeof makeRunProbe>
}

/** Where judgements of one question are asked for, and what they have cost. */
const makeQuestionJudges = (
  { judge, probe: probePair }: PairwiseJudges & { readonly judge: NonNullable<PairwiseJudges['judge']> },
  state: State,
  run: NodeRun,
  deps: CompareDeps,
): { readonly ask: AskJudge; readonly probe: ProbeMembers | null; readonly usage: () => ModelUsage } => {
  const { id, database: name } = state.question
  const signal = run.signal ? { signal: run.signal } : {}
  let usage = noModelUsage
  let spent: string | null = null
  let known: Promise<Prepared> | null = null
  const results = new Map<string, ReturnType<typeof deps.loadResult>>()

  const resultOf = ({ representative: { run } }: PairMember) => {
    if (run?.status !== 'ran') return null
    const loaded = results.get(run.resultId) ?? deps.loadResult(run.resultId)
    results.set(run.resultId, loaded)
    return loaded
  }
  const prepare = async () => {
    run.writer?.({ step: 'choose', detail: 'Comparing results' })
    const [database, brief] = await Promise.all([deps.database(name, run), deps.workbench.loadContext(id)])
    return { database, brief, runProbe: makeRunProbe(database, run) }
  }

  const probe: ProbeMembers | null = probePair
    ? async (first, second) => {
        try {
          known ??= prepare()
          const { database, brief, runProbe } = await known
          const [one, other] = await Promise.all([resultOf(first), resultOf(second)])
          if (!one || !other) return null
          const found = await probePair({
            question: brief.understanding.text,
            catalog: database.catalog,
            first: { sql: first.representative.sql, result: one },
            second: { sql: second.representative.sql, result: other },
            run: runProbe,
          })
          return found && { winner: found.winner === 'first' ? first : second, reason: found.reason }
        } catch {
          // What could not be looked up is for the judge; a stop is not a failure and goes through.
          run.signal?.throwIfAborted()
          return null
        }
      }
    : null

  const ask: AskJudge = async (first, second) => {
    if (spent !== null) return { winner: null, reason: spent }
    known ??= prepare()
    const { database, brief } = await known
    const statements = [first.representative.sql, second.representative.sql] as const
    try {
      const verdict = await judge({
        understanding: brief.understanding,
        matches: brief.matches,
        database,
        linked: schemaOfPair({ statements, database, linked: brief.linked }, deps.widenSchema),
        first: { sql: statements[0], result: await resultOf(first) },
        second: { sql: statements[1], result: await resultOf(second) },
        questionId: id,
        ...signal,
      })
      usage = addModelUsage(usage, verdict.usage)
      return { winner: verdict.winner === 'first' ? first : second, reason: verdict.reason }
    } catch (error) {
      run.signal?.throwIfAborted()
      const reason = error instanceof Error ? error.message : String(error)
      // A call that failed was still paid for.
      if (error instanceof ModelError) usage = addModelUsage(usage, error.usage)
      if (error instanceof ModelError && error.code === 'budget-spent') spent = reason
      run.writer?.({ step: 'choose', detail: `Comparing without the model: ${reason}` })
      return { winner: null, reason }
    }
  }
  return { ask, probe, usage: () => usage }
}
