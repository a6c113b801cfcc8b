import { makeMemoryUsageLedger } from '../../src/store/usage-ledger.ts'
import { describeReadingLedger } from '../contracts/reading-ledger.ts'

describeReadingLedger(() => makeMemoryUsageLedger({ now: Date.now }))
