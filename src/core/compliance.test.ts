import { expect, test } from 'vitest';
import {
  complianceStatus,
  DOWNLOAD_WINDOW_MS,
  type StoredComplianceStatus,
  UPLOAD_WINDOW_MS,
} from './compliance.js';

const CREATED = Date.UTC(2022, 9, 7);

function statusAfter(status: StoredComplianceStatus, elapsedMs: number): string {
  return complianceStatus({ status, createdAtMs: CREATED }, CREATED + elapsedMs);
}

test('a job without upload expires exactly at the end of the upload window', () => {
  expect(statusAfter('created', UPLOAD_WINDOW_MS - 1)).toBe('created');
  expect(statusAfter('created', UPLOAD_WINDOW_MS)).toBe('expired');
});

test('a complete job expires with the download window', () => {
  expect(statusAfter('complete', DOWNLOAD_WINDOW_MS - 1)).toBe('complete');
  expect(statusAfter('complete', DOWNLOAD_WINDOW_MS)).toBe('expired');
});

test('a job in progress outlives the upload window and fails at the end of the download window', () => {
  expect(statusAfter('in_progress', UPLOAD_WINDOW_MS)).toBe('in_progress');
  expect(statusAfter('in_progress', DOWNLOAD_WINDOW_MS)).toBe('failed');
});

test('a failed job stays failed', () => {
  expect(statusAfter('failed', 0)).toBe('failed');
  expect(statusAfter('failed', 2 * DOWNLOAD_WINDOW_MS)).toBe('failed');
});
