import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { z } from 'zod'
import { ModelError, QuerentError } from '../domain/errors.ts'
import type { ModelReply, ModelRequest } from '../domain/model.ts'
import type { Log } from '../domain/operations/telemetry.ts'
import { noModelUsage } from '../domain/operations/usage.ts'
import type { AskModel } from './ask-model.ts'
import { type OutputName, type OutputOf, outputs } from './outputs.ts'
import { makeRenderPrompt, type RenderPrompt } from './prompts.ts'
import {
  type AskedExchange,
  askedOf,
  type ExchangeFolder,
  exchangeFileName,
  makeCountAttempts,
  type RecordedExchange,
  recordedExchangeSchema,
} from './record-replies.ts'

/**
 * Answers from what `recordReplies` stored and calls no model: for demonstrations, tests, and machines without a
 * network. Usage is that of the recording. Throws `model-failed` for a request that was not recorded and names the
 * most similar one; that is logged too, since other paths still answer the question.
 */
export const replayReplies = (
  recording: ExchangeFolder & { readonly log: Log; readonly renderPrompt?: RenderPrompt },
): AskModel => {
  const { folder, log, renderPrompt = makeRenderPrompt() } = recording
  const attemptOf = makeCountAttempts()
  return async <Name extends OutputName>(
    request: ModelRequest,
    expected: readonly Name[],
  ): Promise<ModelReply<OutputOf<Name>>> => {
    request.signal?.throwIfAborted()
    const asked = askedOf(request, recording)
    const attempt = attemptOf(request, asked)
    const { output } = renderPrompt(request.prompt, request.variables)
    const name = expected.find(name => name === output)
    if (name === undefined)
      throw new QuerentError('internal', `prompts/${request.prompt}.md is not expected here`)
    const file = exchangeFileName(asked, attempt)
    const exchange = await readExchange(join(folder, file))
    if (exchange === null) {
      const message = await missingExchangeError({ ...asked, attempt }, folder)
      log.error({ file }, message)
      throw new ModelError('model-failed', message, { usage: noModelUsage })
    }
    // TypeScript cannot narrow a union of schemas by name.
    const read = (outputs[name] as unknown as z.ZodType<OutputOf<Name>>).safeParse(exchange.reply)
    if (!read.success) {
      const message = `the recorded reply ${join(folder, file)} is not what ${request.prompt} asks for any more. Record it again.`
      log.error({ file }, message)
      throw new ModelError('model-failed', message, { usage: noModelUsage })
    }
    return {
      value: read.data,
      usage: usageOf(exchange),
      ...(exchange.repliedBy === undefined ? {} : { model: exchange.repliedBy }),
    }
  }
}

const usageOf = ({ usage }: RecordedExchange): ModelReply<unknown>['usage'] => {
  const { modelCalls, promptTokens, completionTokens, money } = usage
  return { modelCalls, promptTokens, completionTokens, ...(money === undefined ? {} : { money }) }
}

/** Null if there is no such file. A file that cannot be read is an error. */
const readExchange = async (file: string): Promise<RecordedExchange | null> => {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
  const read = parseExchange(text)
  if (read === null) {
    throw new ModelError('model-failed', `${file} is no recorded reply. Remove it, and record it again.`, {
      usage: noModelUsage,
    })
  }
  return read
}

const parseExchange = (text: string): RecordedExchange | null => {
  try {
    return recordedExchangeSchema.safeParse(JSON.parse(text)).data ?? null
  } catch {
    return null
  }
}

const missingExchangeError = async (
  asked: AskedExchange & { readonly attempt: number },
  folder: string,
): Promise<string> => {
  const { role, prompt, model, attempt, variables } = asked
  const which = `${prompt} by ${model}${attempt === 0 ? '' : `, attempt ${attempt + 1}`}`
  const about = variables.question === undefined ? '' : ` on "${variables.question.slice(0, 200)}"`
  const nearest = findNearestExchange(asked, await readFolder(folder))
  const near =
    nearest === null
      ? 'Nothing of this prompt is recorded'
      : `The nearest is ${exchangeFileName(nearest.exchange, nearest.exchange.attempt)}, other in ${nearest.differences.join(', ')}`
  return `no reply of the ${role} is recorded for ${which}${about}, in ${folder}. ${near}. Run it once with QUERENT_LLM=record.`
}

const readFolder = async (folder: string): Promise<readonly RecordedExchange[]> => {
  const names = await readdir(folder).catch(() => [])
  const texts = await Promise.all(
    names
      .filter(name => name.endsWith('.json'))
      .map(name => readFile(join(folder, name), 'utf8').catch(() => '')),
  )
  return texts.flatMap(text => parseExchange(text) ?? [])
}

/** A recorded exchange, and how it differs from the request. */
interface NearestExchange {
  readonly exchange: RecordedExchange
  /** Such as `model`, `question` or `attempt`. */
  readonly differences: readonly string[]
}

/** The recorded exchange that is most similar to a request; null if nothing was recorded for the prompt. */
const findNearestExchange = (
  asked: AskedExchange & { readonly attempt: number },
  recorded: readonly RecordedExchange[],
): NearestExchange | null => {
  const [nearest] = recorded
    .filter(({ prompt }) => prompt === asked.prompt)
    .map(exchange => ({ exchange, differences: differencesOf(asked, exchange) }))
    .map(near => ({ ...near, distance: distanceOf(asked, near) }))
    .toSorted((a, b) => a.distance - b.distance)
  return nearest === undefined ? null : { exchange: nearest.exchange, differences: nearest.differences }
}

const differencesOf = (
  asked: AskedExchange & { readonly attempt: number },
  exchange: RecordedExchange,
): readonly string[] => {
  const names = new Set([...Object.keys(asked.variables), ...Object.keys(exchange.variables)])
  const variables = [...names].filter(name => asked.variables[name] !== exchange.variables[name])
  return [
    ...(asked.role === exchange.role ? [] : ['role']),
    ...(asked.model === exchange.model ? [] : ['model']),
    ...variables,
    ...(variables.length === 0 && asked.attempt !== exchange.attempt ? ['attempt'] : []),
  ]
}

/** A different attempt counts least; texts count by the words that they share. */
const distanceOf = (
  asked: AskedExchange & { readonly attempt: number },
  { exchange, differences }: NearestExchange,
): number =>
  differences.reduce((sum, name) => {
    if (name === 'attempt') return sum + 0.1
    if (name === 'role' || name === 'model') return sum + 1
    return sum + 1 - likenessOf(asked.variables[name] ?? '', exchange.variables[name] ?? '') / 2
  }, 0)

/** The share of words that two texts have in common (Jaccard), among the first thousand. */
const likenessOf = (a: string, b: string): number => {
  const [first, second] = [wordsOf(a), wordsOf(b)]
  const shared = [...first].filter(word => second.has(word)).length
  return shared / Math.max(1, first.size + second.size - shared)
}

const wordsOf = (text: string): Set<string> =>
  new Set(
    text
      .toLowerCase()
      .split(/[^\p{L}\p{N}]+/u)
      .filter(Boolean)
      .slice(0, 1_000),
  )
