import { createServer } from 'node:net'
import { describe, expect, it } from 'vitest'
import { connectRedis } from '../../src/store/redis.ts'
import { requireService } from '../helpers/services/require-service.ts'

const url = requireService('REDIS_URL', 'the connection to Redis')

describe.skipIf(url === null)('redis', () => {
  it('answers, until it is closed', async () => {
    const redis = await connectRedis(url ?? '')
    await redis.ping()
    await redis.close()
    await expect(redis.ping()).rejects.toMatchObject({ code: 'store-unavailable' })
  })
})

describe('a Redis that is not there', () => {
  it('is said to be missing, at once', async () => {
    const probe = createServer().listen(0, '127.0.0.1')
    await new Promise(resolve => probe.once('listening', resolve))
    const { port } = probe.address() as { port: number }
    await new Promise(resolve => probe.close(resolve))
    await expect(connectRedis(`redis://127.0.0.1:${port}`)).rejects.toMatchObject({
      code: 'store-unavailable',
      message: expect.stringContaining('REDIS_URL'),
    })
  })
})
