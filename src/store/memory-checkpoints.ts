import { MemorySaver } from '@langchain/langgraph-checkpoint'
import type { Checkpoints } from './checkpoints.ts'

/** Checkpoints that live as long as the process. Each run stays in memory until it is forgotten. */
export const makeMemoryCheckpoints = (): Checkpoints => {
  const checkpointer = new MemorySaver()
  return {
    checkpointer,
    forget: threadId => checkpointer.deleteThread(threadId),
    close: async () => {},
  }
}
