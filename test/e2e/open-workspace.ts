import type { RecordedMessage } from '../../simulator/shapes/message.ts'
import type { Simulator } from '../../simulator/simulator.ts'
import type { Timing } from '../../simulator/timing.ts'
import { makeSqliteFile } from '../helpers/sqlite-file.ts'
import { type BotHome, type BotSettings, makeBotHome } from '../helpers/start-bot.ts'
import { createTestDatabase } from '../helpers/test-database.ts'
import { startTestSimulator } from '../simulator/start-test-simulator.ts'
import { cyclesSchema } from './cycles-schema.ts'
import { openWatcher, type Watcher } from './open-watcher.ts'

/** Everything of one end-to-end test: a workspace, a database that is asked, a store that is watched, and a bot. */
export interface TestWorkspace extends AsyncDisposable {
  readonly simulator: Simulator
  readonly watcher: Watcher
  readonly bot: BotHome
  /** Of Querent's own Postgres. */
  readonly storeUrl: string
  /** The SQLite file that people ask about. */
  readonly databaseFile: string
  /** Somebody says something in #sales; resolves with the message. */
  ask(text: string, by?: string): Promise<RecordedMessage>
  /** What the bot said in the thread of a message, in order; ephemeral messages left out. */
  replies(message: Pick<RecordedMessage, 'channel' | 'ts' | 'threadTs'>): readonly RecordedMessage[]
  /** Waits until the bot's only reply in the thread looks as wanted. */
  reply(
    message: Pick<RecordedMessage, 'channel' | 'ts' | 'threadTs'>,
    looks: (reply: RecordedMessage) => boolean,
    ms?: number,
  ): Promise<RecordedMessage>
}

/** Opens it with nothing running yet but the simulator. */
export const openWorkspace = async (
  options: Partial<
    Pick<
      BotSettings,
      | 'workers'
      | 'statementMs'
      | 'preload'
      | 'databaseUrl'
      | 'modelUrl'
      | 'costOfAsking'
      | 'cacheMinutes'
      | 'redisUrl'
      | 'knowledge'
      | 'databases'
      | 'env'
    >
  > & {
    readonly timing?: Partial<Timing>
    /** Name of the channel where people look at answers. */
    readonly humansIn?: string
    /** Who is an admin, by handle. */
    readonly admin?: string
    /** Further settings, which may name people and channels of the simulator. */
    readonly more?: (simulator: Simulator) => Readonly<Record<string, unknown>>
  } = {},
): Promise<TestWorkspace> => {
  const undo = new AsyncDisposableStack()
  try {
    const { timing = {}, humansIn, admin, more, ...settings } = options
    const simulator = undo.use(await startTestSimulator({ timing }))
    const admins = simulator.people.filter(({ handle }) => handle === admin).map(({ id }) => id)
    const cycles = undo.adopt(makeSqliteFile(cyclesSchema), file => file.remove())
    const store = undo.use(await createTestDatabase({ migrated: true }))
    const watcher = undo.use(await openWatcher(store.url))
    const humansChannel = simulator.channels.find(({ name }) => name === humansIn)?.id
    const bot = undo.use(
      await makeBotHome({
        simulator,
        storeUrl: store.url,
        databaseFile: cycles.file,
        admins,
        ...settings,
        ...(humansChannel && { humansChannel }),
        ...(more && { more: more(simulator) }),
      }),
    )
    const replies: TestWorkspace['replies'] = message =>
      simulator
        .thread(message.channel, message.threadTs ?? message.ts)
        .filter(said => said.byBot && said.onlyFor === null && !said.deleted)
    return {
      simulator,
      watcher,
      bot,
      storeUrl: store.url,
      databaseFile: cycles.file,
      ask: (text, by = 'ada') => simulator.post({ by, in: '#sales', text }),
      replies,
      reply: (message, looks, ms = 30_000) =>
        simulator
          .until(() => replies(message).findLast(looks), ms)
          .catch(error => {
            const seen = replies(message).map(said => `${said.text} ${JSON.stringify(said.blocks)}`)
            const words = [...seen, ...bot.complaints()].join('\n')
            throw new Error(`no such reply; the bot said: ${words || 'nothing'}`, { cause: error })
          }),
      [Symbol.asyncDispose]: () => undo.disposeAsync(),
    }
  } catch (error) {
    await undo.disposeAsync()
    throw error
  }
}
