import type { Simulator } from '../../simulator/simulator.ts'
import { type BotHome, type BotProcess, type BotSettings, makeBotHome } from './start-bot.ts'

/** Several processes of the bot on one store, each with a folder and a port of its own, as on machines of their own. */
export interface Replicas extends AsyncDisposable {
  start(number: number): Promise<BotProcess>
  /** What all of them complained of. */
  complaints(): readonly string[]
}

/** Makes their surroundings and points the simulator at all of them. */
export const makeReplicas = async (
  count: number,
  settings: Omit<BotSettings, 'simulator'> & { readonly simulator: Simulator },
): Promise<Replicas> => {
  const undo = new AsyncDisposableStack()
  const homes: BotHome[] = []
  const urls: string[] = []
  try {
    for (let number = 0; number < count; number++) {
      const { botToken, signingSecret, apiUrl } = settings.simulator
      const simulator = {
        ...{ botToken, signingSecret, apiUrl },
        setBotUrl: (url: string | readonly string[] | null) => void urls.push(...[url ?? []].flat()),
      }
      homes.push(undo.use(await makeBotHome({ ...settings, simulator })))
    }
  } catch (error) {
    await undo.disposeAsync()
    throw error
  }
  settings.simulator.setBotUrl(urls)
  return {
    start: number => {
      const home = homes[number]
      if (!home) throw new Error(`there is no replica ${number}`)
      return home.start()
    },
    complaints: () => homes.flatMap(home => home.complaints()),
    [Symbol.asyncDispose]: () => undo.disposeAsync(),
  }
}
