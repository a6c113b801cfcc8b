import { join } from 'node:path'
import type { Config } from '../../config/config.ts'
import { listSecrets } from '../../config/list-secrets.ts'
import type { Log } from '../../core/log.ts'
import type { AskModel } from '../../llm/ask-model.ts'
import type { ModelTasks } from '../../llm/tasks.ts'

/**
 * Asks as the configuration says: models themselves, models and a folder that keeps what they said, or that folder
 * alone. `askModels` is called only where a model may be.
 */
export const makeAskModelByMode = async (
  config: Config,
  { tasks, log, askModels }: { tasks: ModelTasks; log: Log; askModels: () => Promise<AskModel> },
): Promise<AskModel> => {
  const { mode } = config.exchanges
  const folder = config.exchanges.folder ?? join(config.home, 'llm')
  const recording = { folder, tasks, secrets: listSecrets(config) }
  switch (mode) {
    case 'live':
      return askModels()
    case 'record': {
      const { recordReplies } = await import('../../llm/record-replies.ts')
      log.warn(
        { folder },
        'exchanges with models are recorded: questions and what prompts say of data are in them',
      )
      return recordReplies(await askModels(), recording)
    }
    case 'replay': {
      const { replayReplies } = await import('../../llm/replay-replies.ts')
      log.info({ folder }, 'no model is called: replies are those that were recorded')
      return replayReplies({ ...recording, log })
    }
    default: {
      const never: never = mode
      return never
    }
  }
}
