/**
 * What a test asks for and need not end: it goes with the file or the `describe` that asks for it; what a test, or what
 * stands before each, asks for goes with this test. Not for `beforeAll`, which has no end of its own.
 */
import { createServer, type RequestListener } from 'node:http';
import type { Server } from 'node:net';
import { afterAll, onTestFinished, TestRunner } from 'vitest';
import { Issuer } from './issuer.ts';
import { listen, type Listening } from './listen.ts';
import { OwnService, type OwnOptions } from './own-service.ts';
import { Receiver } from './receiver.ts';
import { temporaryFolder, type Program } from './started.ts';
import { Starts } from './starts.ts';

function atEnd(end: () => void | Promise<void>): void {
  (TestRunner.getCurrentTest() === undefined ? afterAll : onTestFinished)(end);
}

/** An empty folder. */
export function newFolder(): string {
  const { path, remove } = temporaryFolder();
  atEnd(remove);
  return path;
}

export async function newService(options?: OwnOptions): Promise<OwnService> {
  const service = await OwnService.start(options);
  atEnd(() => service.stop());
  return service;
}

export async function newStarts(program?: Program): Promise<Starts> {
  const starts = await Starts.prepare(program);
  atEnd(() => starts.end());
  return starts;
}

export async function newReceiver(): Promise<Receiver> {
  const receiver = await Receiver.start();
  atEnd(() => receiver.stop());
  return receiver;
}

/** A server of this machine with these answers, or any other. */
export async function newServer(server: RequestListener | Server): Promise<Listening> {
  const listening = await listen(typeof server === 'function' ? createServer(server) : server);
  atEnd(listening.stop);
  return listening;
}

export async function newIssuer(options?: Parameters<typeof Issuer.start>[0]): Promise<Issuer> {
  const { issuer, stop } = await Issuer.start(options);
  atEnd(stop);
  return issuer;
}
