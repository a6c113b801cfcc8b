import type { SuggestedPrompts, ThreadTitle } from '../shapes/snapshot.ts'

/** What the direct messages with the bot show besides messages: questions to start with, and titles of threads. */
export interface AgentView {
  suggest(prompts: SuggestedPrompts): void
  name(title: ThreadTitle): void
  prompts(): readonly SuggestedPrompts[]
  titles(): readonly ThreadTitle[]
}

export const makeAgentView = (changed: () => void): AgentView => {
  const prompts = new Map<string, SuggestedPrompts>()
  const titles = new Map<string, ThreadTitle>()
  return {
    suggest: suggested => {
      prompts.set(suggested.channel, suggested)
      changed()
    },
    name: title => {
      titles.set(`${title.channel}:${title.threadTs}`, title)
      changed()
    },
    prompts: () => [...prompts.values()],
    titles: () => [...titles.values()],
  }
}
