import { makeAskModel } from '../../src/llm/ask-model.ts'
import { makeModelTasks } from '../../src/llm/call-model.ts'
import { type Exchange, startModelServer } from './model-server.ts'

/**
 * A model that follows a script, and what is asked of it through `makeRunInternalQuery`. A question may ask it twice; nobody sleeps
 * before trying again.
 */
export const playModel = async <T>(
  script: readonly Exchange[],
  makeAsk: (askModel: ReturnType<typeof makeAskModel>) => T,
) => {
  const server = await startModelServer(script)
  const askModel = makeAskModel({
    connection: server.connection,
    tasks: makeModelTasks('some-model'),
    budget: { modelCallsPerQuestion: 2, tokensPerQuestion: 100_000 },
    sleep: async () => {},
  })
  return { ...server, ask: makeAsk(askModel) }
}
