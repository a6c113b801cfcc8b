import { randomUUID } from 'node:crypto'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { QuerentError } from '../core/errors.ts'
import type { ModelReply, ModelRequest } from '../core/model.ts'
import type { AskModel } from './ask-model.ts'
import { redactDeep } from './blank-secrets.ts'
import { makeCountAttempts } from './count-attempts.ts'
import type { OutputName, OutputOf } from './outputs.ts'
import { exchangeFileName, type RecordedExchange } from './recorded-exchange.ts'
import { askedOf, type ExchangeFolder } from './recording.ts'

/**
 * Asks, and keeps each exchange in the folder for `replayReplies`, one file each, over an older one of the same request. What
 * fails is not kept. Throws what asking throws, and `bad-configuration` when the folder cannot be written: whoever
 * records wants to know.
 */
export const recordReplies = (askModel: AskModel, recording: ExchangeFolder): AskModel => {
  const attemptOf = makeCountAttempts()
  return async <Name extends OutputName>(
    request: ModelRequest,
    expected: readonly Name[],
  ): Promise<ModelReply<OutputOf<Name>>> => {
    const asked = askedOf(request, recording)
    const attempt = attemptOf(request, asked)
    const reply = await askModel(request, expected)
    const exchange: RecordedExchange = {
      ...asked,
      attempt,
      reply: redactDeep(reply.value, recording.secrets),
      ...(reply.model !== undefined && reply.model !== asked.model ? { repliedBy: reply.model } : {}),
      usage: { ...reply.usage },
    }
    await storeExchange(join(recording.folder, exchangeFileName(asked, attempt)), exchange, recording.folder)
    return reply
  }
}

/** Questions and rows of somebody's data stand in it: for its owner alone. */
const storeExchange = async (file: string, exchange: RecordedExchange, folder: string): Promise<void> => {
  const written = `${file}.${randomUUID()}`
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await writeFile(written, `${JSON.stringify(exchange, null, 2)}\n`, { mode: 0o600 })
    await rename(written, file)
  } catch (cause) {
    throw new QuerentError(
      'bad-configuration',
      `replies cannot be recorded in ${folder}: ${cause instanceof Error ? cause.message : String(cause)}. Set QUERENT_LLM_FOLDER to a folder that can be written, or unset QUERENT_LLM.`,
      { cause },
    )
  }
}
