import { resolve } from 'node:path'
import { QuerentError } from '../../domain/errors.ts'
import { isStrategyName, type StrategyName, strategyNames } from '../../domain/strategies/strategy.ts'
import { compareStrategies, renderComparison } from '../../evaluation/compare-strategies.ts'
import { evaluateQuestions } from '../../evaluation/evaluate-questions.ts'
import { openOutFile } from '../../evaluation/out-file.ts'
import { readQuestionsFile, selectUsable } from '../../evaluation/questions-file.ts'
import { RVES_RUNS } from '../../evaluation/score-question.ts'
import type { CommandContext } from '../command-context.ts'
import { evaluationCopy, strategyCopy } from '../copy/evaluation.ts'
import { makeProgressBar, writeJson } from '../terminal.ts'
import { readLimit } from './eval-questions.ts'
import { makeOpenForEvaluation, readReplayModel } from './open-for-evaluation.ts'

interface CompareOptions {
  readonly strategies?: string
  readonly questions?: string
  readonly databases?: string
  readonly model?: string
  readonly limit?: string
  readonly evidence?: string
  readonly out?: string
  readonly rves?: boolean
  readonly json?: boolean
}

/** `eval compare`: asks the same questions by several strategies, one after the other, and writes one table. */
export const runEvalCompare = async (options: CompareOptions, context: CommandContext): Promise<number> => {
  const { terminal, signal } = context
  const names = readStrategies(options.strategies)
  const file = resolve(terminal.folder, options.questions ?? '')
  const lines = selectUsable(await readQuestionsFile(file), readLimit(options.limit))
  const bar = makeProgressBar(terminal)
  const runs = []
  for (const [at, strategy] of names.entries()) {
    // Each has drafts of its own to take: a pool begins again with every strategy.
    const replay = await readReplayModel(options.model, terminal.folder)
    const told = options.evidence ? ` evidence=${options.evidence}` : ''
    const run = `model=${options.model ?? 'configured'} strategy=${strategy}${told}`
    const out = options.out
      ? await openOutFile(resolve(terminal.folder, `${options.out}-${strategy}.jsonl`), run)
      : null
    const { evaluated } = await evaluateQuestions({
      lines,
      signal,
      openForEvaluation: makeOpenForEvaluation({ ...options, strategy, replay }, context),
      onProgress: ({ done, total, database }) =>
        bar.onProgress({
          doing: `${strategy}: ${evaluationCopy.asking(done, total, database)}`,
          share: (at + (total === 0 ? 1 : done / total)) / names.length,
        }),
      ...(replay ? { oracleOver: Number.POSITIVE_INFINITY } : {}),
      rvesRuns: options.rves ? RVES_RUNS : null,
      ...(out ? { done: out.done, onEvaluated: out.append } : {}),
    })
    runs.push({ strategy, evaluated })
  }
  bar.clear()
  const comparison = compareStrategies(runs)
  if (options.json) writeJson(terminal.out, comparison)
  else terminal.out.write(`${renderComparison(comparison)}\n`)
  return 0
}

/** Reads `--strategies a,b,c`; `all` is every one. Throws `bad-arguments` for an unknown or repeated name. */
const readStrategies = (text = ''): readonly StrategyName[] => {
  const names = text === 'all' ? strategyNames : text.split(',').map(name => name.trim())
  const unknown = names.find(name => !isStrategyName(name))
  if (unknown !== undefined)
    throw new QuerentError('bad-arguments', strategyCopy.unknownStrategy(unknown, strategyNames))
  const known = names.filter(isStrategyName)
  if (known.length < 2 || new Set(known).size < known.length)
    throw new QuerentError('bad-arguments', strategyCopy.needsSeveral)
  return known
}
