import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { findDescribedClarification } from '../../bootstrap/answering/answering.ts'
import type { Candidate } from '../../domain/candidate.ts'
import type { FindClarification } from '../../domain/clarification.ts'
import { QuerentError } from '../../domain/errors.ts'
import { evaluationLimits } from '../../evaluation/evaluation-database.ts'
import { executePools, type PoolQuestion } from '../../evaluation/execute-pools.ts'
import { parsePoolSpec, readPoolsFile } from '../../evaluation/pools-file.ts'
import { readQuestionsFile, selectUsable } from '../../evaluation/questions-file.ts'
import { renderSelection } from '../../evaluation/render-selection.ts'
import { type FindPoolClarification, scoreAsking } from '../../evaluation/score-asking.ts'
import {
  type LabeledSelection,
  labelSelections,
  type SelectAnswer,
  type SelectionScore,
  scoreSelections,
} from '../../evaluation/score-selection.ts'
import { type Regret, regretOf } from '../../ranking/experts.ts'
import { selectorWithout } from '../../ranking/selector/shipped-selector.ts'
import { stoppingModelWithout } from '../../ranking/stopping-folds.ts'
import type { CommandContext } from '../command-context.ts'
import { evaluationCopy } from '../copy/evaluation.ts'
import { notOneOf } from '../copy/phrases.ts'
import { makeProgressBar, writeJson } from '../terminal.ts'
import { openPairsFile } from './pairs-file.ts'
import { makeOpenPoolDatabase, type PoolMemory } from './pool-databases.ts'
import { makeSelector, runExpertsOnPool, type SelectorName, selectorNames } from './selectors.ts'

interface EvalSelectionOptions {
  readonly pools?: string
  readonly questions?: string
  readonly databases?: string
  readonly pool?: readonly string[]
  readonly selector?: string
  readonly folds?: string
  readonly clarify?: boolean
  readonly out?: string
  readonly pairs?: string
  readonly json?: boolean
}

type AskingBack = Parameters<typeof scoreAsking>[2]

/** The figures of one pool, as in `--json`. */
interface PoolSummary {
  readonly questions: number
  readonly first: number
  readonly oracle: number
  readonly oracleAnyOrder: number
  readonly selectors: Readonly<Record<string, SelectionScore | null>>
  /** Of the voters over experts, with all questions in order; null if neither was chosen. */
  readonly regret: Regret | null
}

/** `eval selection`: measures how well each selector chooses among candidates that real systems wrote. */
export const runEvalSelection = async (
  options: EvalSelectionOptions,
  context: CommandContext,
): Promise<number> => {
  const { terminal, signal } = context
  const path = (file = ''): string => resolve(terminal.folder, file)
  const names = readSelectors(options.selector)
  const specs = Object.fromEntries((options.pool ?? []).map(text => [text, parsePoolSpec(text)]))
  const lines = selectUsable(await readQuestionsFile(path(options.questions)))
  const pools = await readPoolsFile(path(options.pools))
  const pairs = options.pairs === undefined ? null : await openPairsFile(path(options.pairs), new Set())
  const bar = makeProgressBar(terminal)
  const seen: PoolMemory = { catalogs: new Map(), heads: new Map() }
  const executed = await executePools({
    lines,
    pools,
    specs,
    open: makeOpenPoolDatabase(options.databases ?? '', context, seen),
    timeoutMs: evaluationLimits.timeoutMs,
    ...(pairs && { onTrainingLines: pairs.append }),
    signal,
    onProgress: ({ done, total }) =>
      bar.onProgress({ doing: evaluationCopy.runningCandidates(done, total), share: done / total }),
  })
  bar.clear()
  const folds = readFolds(options.folds)
  const texts = new Map(lines.map(({ id, question }) => [id, question]))
  const asking = options.clarify
    ? {
        findQuestion: makeFindPoolClarification(findDescribedClarification, { ...seen, texts }),
        cost: context.config.answer.costOfAsking,
      }
    : null
  const choices: string[] = []
  const summary = {
    folds,
    pools: Object.fromEntries(
      [...executed].map(([pool, questions]) => {
        const onLabeled = (selector: SelectorName, judged: readonly LabeledSelection[]) =>
          choices.push(...judged.map((one, at) => writeChoice({ pool, selector }, questions[at]!, one)))
        return [pool, summarizePool(questions, names, { folds, asking, onLabeled })]
      }),
    ),
  }
  if (options.out !== undefined) await writeFile(path(options.out), choices.join(''))
  if (pairs !== null) terminal.err.write(`${evaluationCopy.pairsWritten(pairs.summary())}\n`)
  if (options.json) writeJson(terminal.out, summary)
  else terminal.out.write(`${renderSelection(summary)}\n`)
  return 0
}

const readSelectors = (text: string | undefined): readonly SelectorName[] =>
  (text?.split(',') ?? selectorNames).map(written => {
    const name = selectorNames.find(known => known === written.trim())
    if (name === undefined)
      throw new QuerentError('bad-arguments', evaluationCopy.unknownSelector(written.trim(), selectorNames))
    return name
  })

const readFolds = (text = 'by-database'): 'by-database' | 'none' => {
  if (text === 'by-database' || text === 'none') return text
  throw new QuerentError('bad-arguments', notOneOf('--folds', ['by-database', 'none'], text))
}

const summarizePool = (
  questions: readonly PoolQuestion[],
  names: readonly SelectorName[],
  {
    folds,
    asking,
    onLabeled,
  }: {
    readonly folds: 'by-database' | 'none'
    readonly asking: AskingBack | null
    readonly onLabeled: (name: SelectorName, judged: readonly LabeledSelection[]) => void
  },
): PoolSummary => {
  const share = (test: (question: PoolQuestion) => boolean): number =>
    questions.length === 0 ? 0 : questions.filter(test).length / questions.length
  const oracle = share(({ labels }) => labels.some(({ ex }) => ex))
  const judge = (name: SelectorName) => labelSelections(questions, selectFor(name, questions, folds))
  const plain = { majority: 0, oracle }
  const majority = scoreSelections(judge('majority'), plain).ex
  const score = (name: SelectorName): SelectionScore => {
    const judged = judge(name)
    onLabeled(name, judged)
    const canAsk = asking !== null && judged.some(({ selected }) => selected.groups !== undefined)
    return scoreSelections(judged, {
      majority,
      oracle,
      asking: canAsk ? scoreAsking(questions, judged, asking) : null,
    })
  }
  return {
    questions: questions.length,
    first: scoreSelections(judge('first'), plain).ex,
    oracle,
    oracleAnyOrder: share(({ labels }) => labels.some(({ anyOrder }) => anyOrder)),
    selectors: Object.fromEntries(names.map(name => [name, score(name)])),
    regret: names.includes('wma') || names.includes('rwma') ? regretOf(runExpertsOnPool(questions)) : null,
  }
}

/** A line of `--out`: the choice of a selector for a question, its confidence, and whether it is right. */
const writeChoice = (
  of: { readonly pool: string; readonly selector: SelectorName },
  { id, candidates, candidateVotes }: PoolQuestion,
  { selected, label }: LabeledSelection,
): string => {
  const candidate = selected.candidateId
  const sql =
    candidates[candidateVotes.findIndex(({ candidateId }) => candidateId === candidate)]?.sql ?? null
  const { confidence, early } = selected
  const { ex, anyOrder: exAnyOrder } = label
  return `${JSON.stringify({ ...of, id, candidate, sql, confidence, ex, exAnyOrder, early })}\n`
}

/** For each database a selector that was not trained on it, made once; without folds, the shipped one. */
const selectFor = (
  name: SelectorName,
  questions: readonly PoolQuestion[],
  folds: 'by-database' | 'none',
): ((database: string) => SelectAnswer) => {
  const made = new Map<string, SelectAnswer>()
  return database => {
    const without = folds === 'none' ? '' : database
    const known = made.get(without)
    if (known !== undefined) return known
    const others = folds === 'none' ? null : questions.filter(question => question.database !== database)
    const select =
      folds === 'none'
        ? makeSelector(name, others)
        : makeSelector(name, others, selectorWithout(database), stoppingModelWithout(database))
    made.set(without, select)
    return select
  }
}

/** Makes the search for a clarification over the candidates of a pool, as answers use it. */
const makeFindPoolClarification =
  (
    findClarification: FindClarification,
    { catalogs, heads, texts }: PoolMemory & { readonly texts: ReadonlyMap<string, string> },
  ): FindPoolClarification =>
  (question, groups) => {
    const catalog = catalogs.get(question.database)
    if (catalog === undefined) return null
    const candidates = candidatesOf(question, heads)
    const text = texts.get(question.id) ?? ''
    const found = findClarification({ question: text, catalog, groups, candidates, heads })
    if (found === null) return null
    return {
      value: found.value,
      isAskable: found.use === 'ask',
      options: found.clarification.options.map(({ candidateIds }) => ({
        candidateIds,
        answerId:
          groups.find(group => group.candidateIds.some(id => candidateIds.includes(id)))?.representativeId ??
          '',
      })),
    }
  }

const candidatesOf = (
  { candidates, candidateVotes }: PoolQuestion,
  heads: PoolMemory['heads'],
): readonly Candidate[] =>
  candidateVotes.map(({ candidateId, lineage, run }, at) => ({
    id: candidateId,
    origin: { attempt: 0, round: 0, sample: 0 },
    path: 'pool-replay',
    lineage,
    rank: candidates[at]?.rank ?? 0,
    sql: candidates[at]?.sql ?? '',
    prior: 0,
    decisions: [],
    assumptions: [],
    unused: null,
    repairs: [],
    run: run && {
      status: 'ran',
      // Heads are stored by group, since the results of a group are equal.
      resultId: run.groupKey,
      groupKey: run.groupKey,
      columnsKey: run.columnsKey,
      evidence: run.evidence,
      rowCount: heads.get(run.groupKey)?.rowCount ?? 0,
      columnCount: heads.get(run.groupKey)?.columns.length ?? 0,
      milliseconds: 0,
    },
  }))
