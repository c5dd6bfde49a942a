/**
 * What happens when the node can no longer keep its word. Reported to by the replicas, read by the
 * HTTP end points; the only place that ends the process.
 */
@NullMarked
package io.silkkv.node.fault;

import org.jspecify.annotations.NullMarked;
