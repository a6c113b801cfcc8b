import { makeMemoryReadingLedger } from '../../../src/store/in-memory/reading-ledger.ts'
import { describeReadingLedger } from '../../contracts/reading-ledger.ts'

describeReadingLedger(() => makeMemoryReadingLedger({ now: Date.now }))
