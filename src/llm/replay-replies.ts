import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { z } from 'zod'
import { QuerentError } from '../core/errors.ts'
import type { Log } from '../core/log.ts'
import type { ModelReply, ModelRequest } from '../core/model.ts'
import { ModelError } from '../core/model-error.ts'
import { noModelUsage } from '../core/usage.ts'
import type { AskModel } from './ask-model.ts'
import { makeCountAttempts } from './count-attempts.ts'
import { findNearestExchange } from './nearest-exchange.ts'
import { type OutputName, type OutputOf, outputs } from './outputs.ts'
import { makeRenderPrompt, type RenderPrompt } from './prompts.ts'
import {
  type AskedExchange,
  exchangeFileName,
  type RecordedExchange,
  recordedExchangeSchema,
} from './recorded-exchange.ts'
import { askedOf, type ExchangeFolder } from './recording.ts'

/**
 * Answers from what `recordReplies` kept, and calls nobody: for demonstrations, tests of a prompt's surroundings, and
 * machines without a network. Usage is that of the recording. Throws `model-failed` for a request that was never
 * recorded and names the nearest that was; the log has it too, since paths that fail leave a question to the others.
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
    // TypeScript does not follow a name to its own schema through a union of schemas.
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

/** Null where there is no such file. What is there and cannot be read is somebody's mistake, and is said. */
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
