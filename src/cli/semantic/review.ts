import { randomUUID } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { readFileIfThere } from '../../config/edit-files.ts'
import { QuerentError } from '../../domain/errors.ts'
import type { SemanticLayer } from '../../domain/metrics/semantic-layer.ts'
import { makeRollBackDecision } from '../../semantic-layer/review/decide-proposal.ts'
import { describeMetric, describeModel, describeSegment } from '../../semantic-layer/review/describe-item.ts'
import {
  listProposals,
  type ReviewDecision,
  type ReviewItem,
  writeDecision,
} from '../../semantic-layer/review/layer-document.ts'
import { type CommandContext, currentPerson } from '../command-context.ts'
import { notOneOf } from '../copy/phrases.ts'
import { semanticCopy as copy } from '../copy/semantic.ts'
import { makePrompts } from '../init/prompts.ts'
import { writeJson } from '../terminal.ts'
import { layerFileOf, readLayer, type SemanticOptions } from './semantic.ts'

/**
 * `semantic review`: walks through what is proposed, one by one, and writes what was decided to the file of the database.
 * Every decision is written at once, so that one can stop at any time.
 */
export const runSemanticReview = async (
  options: SemanticOptions,
  context: CommandContext,
): Promise<number> => {
  const { config, resources, terminal, signal } = context
  if (!terminal.interactive && !options.acceptAll) throw new QuerentError('bad-arguments', copy.needsTerminal)
  const { database, layer } = await readLayer(options, context)
  const { dialect } = await resources.openDatabase(options.database ?? database, { signal })
  context.clearProgress()
  const path = layerFileOf(config.semanticFolder, database)
  const file = `${basename(config.semanticFolder)}/${basename(path)}`
  const proposals = listProposals(layer)
  const done = { accepted: 0, rejected: 0 }
  let text = await readFileIfThere(path)
  const write = async (decision: ReviewDecision): Promise<void> => {
    text = writeDecision(text, decision, { database, layer, dialect, file })
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, text)
    done[decision.kind === 'accept' ? 'accepted' : 'rejected'] += 1
  }
  const ask = options.acceptAll ? null : makeAsk(makePrompts(terminal, signal), layer, terminal)
  for (const [at, of] of proposals.entries()) {
    const decision = ask ? await ask(of, at + 1, proposals.length) : acceptAsIs(of)
    if (decision === 'stop') break
    if (decision !== 'skip') await write(decision)
  }
  const skipped = proposals.length - done.accepted - done.rejected
  if (options.json) writeJson(terminal.out, { file: path, ...done, skipped })
  else if (proposals.length === 0) terminal.out.write(`${copy.nothingProposed}\n`)
  else terminal.out.write(`${copy.reviewed(done.accepted, done.rejected, skipped, path)}\n`)
  return 0
}

/** `semantic rollback KIND NAME`: the decision before the last one in App Home counts again. */
export const runSemanticRollback = async (
  { kind: typed, name = '', ...options }: SemanticOptions,
  context: CommandContext,
): Promise<number> => {
  const { resources, terminal, now } = context
  const kind = (['metric', 'segment'] as const).find(one => one === typed)
  if (kind === undefined)
    throw new QuerentError('bad-arguments', notOneOf('KIND', ['metric', 'segment'], typed ?? ''))
  const { database } = await readLayer(options, context)
  const { layerDecisions } = (await resources.ownStore()).store.repositories
  const rollBack = makeRollBackDecision({
    listAll: layerDecisions.listAll,
    insert: decision => layerDecisions.insert(decision),
    newId: randomUUID,
    now: () => now,
  })
  const restored = await rollBack({ database, kind, name, by: currentPerson() })
  context.clearProgress()
  if (restored === null) throw new QuerentError('bad-arguments', copy.nothingDecided(kind, name))
  if (options.json) writeJson(terminal.out, { database, kind, name, status: restored.status })
  else
    terminal.out.write(
      `${restored.status === 'accepted' ? copy.rolledBack(kind, name, restored.status) : copy.stopped(kind, name)}\n`,
    )
  return 0
}

const acceptAsIs = (of: ReviewItem): ReviewDecision => ({
  kind: 'accept',
  of,
  label: of.item.label,
  synonyms: of.item.synonyms,
})

const makeAsk =
  (prompts: ReturnType<typeof makePrompts>, layer: SemanticLayer, terminal: CommandContext['terminal']) =>
  async (of: ReviewItem, at: number, total: number): Promise<ReviewDecision | 'skip' | 'stop'> => {
    const { label, synonyms } = of.item
    terminal.err.write(
      `\n${[
        `${copy.progress(at, total)}  ${copy.proposal(copy.head[of.kind], label, meaningOf(of, layer))}`,
        copy.synonyms(synonyms),
      ]
        .filter(line => line !== '')
        .join('\n')}\n`,
    )
    const choice = await prompts.choose({
      message: copy.choose,
      choices: (['accept', 'edit', 'reject', 'skip', 'stop'] as const).map(value => ({
        value,
        name: copy.choices[value],
      })),
      suggestion: 'accept',
    })
    switch (choice) {
      case 'accept':
        return acceptAsIs(of)
      case 'edit': {
        const newLabel = await prompts.text({
          message: copy.askLabel,
          suggestion: label,
          validate: value => value !== '' || copy.emptyLabel,
        })
        const words = await prompts.text({ message: copy.askSynonyms, suggestion: synonyms.join(', ') })
        const newSynonyms = words.split(',').flatMap(word => word.trim().toLowerCase() || [])
        return { kind: 'accept', of, label: newLabel, synonyms: newSynonyms }
      }
      case 'reject':
        return { kind: 'reject', of }
      case 'skip':
      case 'stop':
        return choice
      default: {
        const never: never = choice
        return never
      }
    }
  }

const meaningOf = (of: ReviewItem, layer: SemanticLayer): string => {
  switch (of.kind) {
    case 'model':
      return describeModel(of.item)
    case 'metric':
      return describeMetric(of.item, layer)
    case 'segment':
      return describeSegment(of.item, layer)
    default: {
      const never: never = of
      return never
    }
  }
}
