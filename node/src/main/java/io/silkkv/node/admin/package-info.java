/**
 * The node as monitoring sees it: HTTP end points for liveness, readiness, status and Prometheus
 * metrics. Reads from the other parts, changes nothing.
 */
@NullMarked
package io.silkkv.node.admin;

import org.jspecify.annotations.NullMarked;
