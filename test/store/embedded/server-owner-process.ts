import { startEmbeddedServer } from '../../../src/store/embedded/embedded-server.ts'

/** A process that holds on to the embedded server of a home until it is told to stop: to be raced, or killed. */
const [home] = process.argv.slice(2)

if (!home) throw new Error('usage: server-owner-process.ts HOME')

const server = await startEmbeddedServer({ home, durable: false })

process.send?.({ owner: server.owner, adminUrl: server.adminUrl, folder: server.folder })

process.once('message', async () => {
  await server.stop()
  process.send?.('stopped')
  process.disconnect()
})
