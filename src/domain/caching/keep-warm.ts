/**
 * V8 throws the optimized code of a class away when a garbage collection finds no instance. A class whose instances
 * live for one request leaves one here, which must hold nothing of a request.
 */
const instances: object[] = [];

/** Keeps an instance of a class for as long as the isolate lives. */
export function keepWarm(instance: object): void {
  instances.push(instance);
}
