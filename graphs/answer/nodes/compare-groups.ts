import type { Database } from '../../../src/domain/database.ts'
import { ModelError } from '../../../src/domain/errors.ts'
import {
  addModelUsage,
  callLoss,
  type ModelUsage,
  noModelUsage,
} from '../../../src/domain/operations/usage.ts'
import type { LinkedSchema, QuestionContext, WidenSchema } from '../../../src/domain/question-context.ts'
import type { ResultTable } from '../../../src/domain/result.ts'
import type { PairMember } from '../../../src/domain/selection/pairwise.ts'
import { compareAllPairs } from '../comparison/all-pairs.ts'
import type { AskJudge, PairwiseJudges, ProbeMembers } from '../comparison/compare-pair.ts'
import {
  cautiousRules,
  putWinnerFirst,
  runTournament,
  SURE_PAIR_IN_FULL,
  tournamentRules,
} from '../comparison/tournament.ts'
import type { ChoosingDeps, DraftingDeps, LinkingDeps, NodeRun, OpenDatabase, StoringDeps } from '../deps.ts'
import { usesTeamTerm } from '../drafting/prompt-inputs.ts'
import { namesIn } from '../repair/named-schema.ts'
import { readStatement } from '../repair/statement.ts'
import { makeIsFree } from '../rounds/tally.ts'
import type { State, Update } from '../state.ts'

/** A reason is for the trace: its beginning says it. */
const LONGEST_REASON = 160

interface CompareDeps {
  readonly database: OpenDatabase
  readonly linking: Pick<LinkingDeps, 'widenSchema'>
  readonly drafting: Pick<DraftingDeps, 'mode' | 'paths'>
  readonly choosing: Pick<ChoosingDeps, 'pairwise'>
  readonly storing: Pick<StoringDeps, 'runStore' | 'loadResult'>
}

/**
 * Compares the groups in pairs once drafting is over: in full mode all that a model drafted (CHASE-SQL 3.5), in adaptive
 * mode the leading ones in a knock-out. What only the parser or a verified query came to is a feature of the ranking in
 * full mode, and no contestant. Before a judge is asked about a pair, a probe may tell the two apart. A judge that fails
 * or may cost no more changes nothing.
 */
export const makeCompareGroups =
  (deps: CompareDeps) =>
  async (state: State, run: NodeRun): Promise<Update> => {
    const {
      choosing: { pairwise },
      drafting,
    } = deps
    const [leader, ...others] = await membersOf(state, deps)
    if (pairwise === null || leader === undefined || others.length === 0) return {}
    const { judge, rate } = pairwise
    const bench = judge === null ? null : makeQuestionJudges({ ...pairwise, judge }, state, run, deps)
    const isWary = bench !== null && (await usesTeamTerm(state, deps, run))
    const contest =
      bench !== null && drafting.mode === 'full'
        ? await compareAllPairs([leader, ...others], {
            ...{ ask: bench.ask, probe: isWary ? null : bench.probe, rate },
            surePair: isWary ? cautiousRules.surePair : SURE_PAIR_IN_FULL,
          })
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
      groups: putWinnerFirst(state.groups, contest.winner.group.key, contest.comparisons),
      usage: bench?.usage() ?? noModelUsage,
    }
  }

/** In full mode, the groups with a model's draft and the drafts of models in them; all groups in adaptive mode. */
const membersOf = async (
  state: State,
  { storing, drafting }: CompareDeps,
): Promise<readonly PairMember[]> => {
  if (state.groups.length < 2) return []
  const candidates = await storing.runStore.loadCandidates(state.question.id)
  const isFree = makeIsFree(drafting.paths)
  return state.groups.flatMap((group, rank) => {
    const representative = candidates.find(({ id }) => id === group.representativeId)
    const members = candidates.filter(
      one => group.candidateIds.includes(one.id) && (drafting.mode === 'adaptive' || !isFree(one)),
    )
    if (representative === undefined || members.length === 0) return []
    // One draft may hold several readings.
    const drafts = new Set(
      members.map(({ path, origin }) => JSON.stringify([path, origin.attempt, origin.round, origin.sample])),
    )
    return [{ group, rank, representative, votes: drafts.size }]
  })
}

/** What a comparison of one question needs to know of it, loaded once. */
interface Prepared {
  readonly database: Database
  readonly context: QuestionContext
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
  let spent: Awaited<ReturnType<AskJudge>> | null = null
  let known: Promise<Prepared> | null = null
  const results = new Map<string, ReturnType<typeof deps.storing.loadResult>>()

  const resultOf = ({ representative: { run } }: PairMember) => {
    if (run?.status !== 'ran') return null
    const loaded = results.get(run.resultId) ?? deps.storing.loadResult(run.resultId)
    results.set(run.resultId, loaded)
    return loaded
  }
  const prepare = async () => {
    run.writer?.({ step: 'choose', detail: 'Comparing results' })
    const [database, context] = await Promise.all([
      deps.database(name, run),
      deps.storing.runStore.loadContext(id),
    ])
    return { database, context, runProbe: makeRunProbe(database, run) }
  }

  const probe: ProbeMembers | null = probePair
    ? async (first, second) => {
        try {
          known ??= prepare()
          const { database, context, runProbe } = await known
          const [one, other] = await Promise.all([resultOf(first), resultOf(second)])
          if (!one || !other) return null
          const found = await probePair({
            question: context.understanding.text,
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
    if (spent !== null) return spent
    known ??= prepare()
    const { database, context } = await known
    const statements = [first.representative.sql, second.representative.sql] as const
    try {
      const verdict = await judge({
        understanding: context.understanding,
        matches: context.matches,
        database,
        linked: schemaOfPair({ statements, database, linked: context.linked }, deps.linking.widenSchema),
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
      const failed = { winner: null, reason, ...(error instanceof ModelError && { lost: callLoss(error) }) }
      if (error instanceof ModelError && error.code === 'budget-spent') spent = failed
      run.writer?.({ step: 'choose', detail: `Comparing without the model: ${reason}` })
      return failed
    }
  }
  return { ask, probe, usage: () => usage }
}

/** Small queries that one question may cost: a hundred pairs may each have their own. */
const MOST_PROBES = 20

/**
 * Makes how the small queries of one question are run: through the guard as any other statement, equal ones once, and no
 * more than a fixed number. Null for what was refused, failed or is over that number. Rejects only on a stop.
 */
export const makeRunProbe = (
  { guard, run }: Pick<Database, 'guard' | 'run'>,
  { signal }: Pick<NodeRun, 'signal'>,
): ((sql: string) => Promise<ResultTable | null>) => {
  const known = new Map<string, Promise<ResultTable | null>>()

  const runOnce = async (sql: string): Promise<ResultTable | null> => {
    const verdict = guard(sql)
    if (verdict.verdict === 'refuse') return null
    try {
      return await run(verdict.guarded, signal ? { signal } : {})
    } catch {
      signal?.throwIfAborted()
      return null
    }
  }

  return async sql => {
    const ran = known.get(sql)
    if (ran !== undefined) return ran
    if (known.size >= MOST_PROBES) return null
    const running = runOnce(sql)
    known.set(sql, running)
    return running
  }
}

/**
 * The union of the schema that two statements use (CHASE-SQL 3.5): the columns that either of them names, tables whole
 * of which none is named, and the keys that join them. What the question was linked to where a statement cannot be
 * read, or names nothing.
 */
export const schemaOfPair = (
  input: {
    readonly statements: readonly [string, string]
    readonly database: Database
    readonly linked: LinkedSchema
  },
  widenSchema: WidenSchema,
): LinkedSchema => {
  const read = input.statements.map(sql => readStatement(sql, input.database))
  if (read.some(statement => statement === null || statement.scopes.length === 0)) return input.linked
  const wanted = read.flatMap(statement => (statement === null ? [] : namesIn(statement)))
  const used = widenSchema({ catalog: input.database.catalog, linked: { tables: [] }, wanted })
  return used.tables.length === 0 ? input.linked : used
}
