import { AIMessage, HumanMessage, SystemMessage } from '@langchain/core/messages'
import type { ChatMessage } from './call-model.ts'

/** One turn as LangChain's clients take it. */
export const toLangchainMessage = ({
  role,
  content,
}: ChatMessage): SystemMessage | HumanMessage | AIMessage => {
  switch (role) {
    case 'system':
      return new SystemMessage(content)
    case 'user':
      return new HumanMessage(content)
    case 'assistant':
      return new AIMessage(content)
    default: {
      const never: never = role
      throw new Error(`unknown role ${never}`)
    }
  }
}
